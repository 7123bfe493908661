import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { readFileSync } from 'node:fs';

/** The icons that `portico.js` draws before the report dialog is loaded. */
const first = new Set(['alert', 'bug', 'check-circle', 'clock', 'close', 'info', 'warning']);
const drawing = /^ {2}'?([\w-]+)'?:\s*'[^']*',$/gm;
const late = 'virtual:portico-icons/late';

/**
 * Removes all but the few icons that `portico.js` starts with; `portico-icons/late` adds the others later.
 *
 * @param icons the module of the icons
 */
export function lateIcons(icons: string): Plugin {
  return {
    name: 'portico:late-icons',
    enforce: 'pre',
    resolveId: (id) => (id === late ? `\0${late}` : undefined),
    load(id) {
      if (id !== `\0${late}`) return undefined;
      const all = [...readFileSync(icons, 'utf8').matchAll(drawing)].map(([line]) => line).join('\n');
      return `import { addDrawings } from ${JSON.stringify(icons)};\naddDrawings({\n${all}\n});`;
    },
    transform(code, id) {
      if (id !== icons) return undefined;
      const few = code.replaceAll(drawing, (line, name: string) => (first.has(name) ? line : ''));
      return {
        code: `${few}\nexport const addDrawings = (more) => Object.assign(drawings, more);`,
        map: null,
      };
    },
  };
}

const text = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
const serverPart = new RegExp(
  String.raw`\n {2}(?:(?:summary|closed):\s*${text}|bodyLimit: [\w *]+|params: z\.object\(\{ [\w: ,]* \}\)),(?=\n)`,
  'g',
);

/**
 * Leaves out the parts of a route that only the server and `/openapi.json` use: its summary, its limit, its
 * behaviour during maintenance and the schema of its path.
 */
export function withoutServerParts(): Plugin {
  return {
    name: 'portico:without-server-parts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/(?:contract\/src|features\/[\w-]+\/contract)\/(?:[\w-]+\/)*[\w-]+\.ts$/.test(id))
        return undefined;
      return { code: code.replaceAll(serverPart, ''), map: null };
    },
  };
}

/** Marks the contract's schemas as pure, so that the build leaves out a schema that nothing uses. */
export function pureSchemas(): Plugin {
  return {
    name: 'portico:pure-schemas',
    // The catalogue of rights and the catalogue of the audit each get their own copy of the capabilities' list,
    // without what only the other catalogue reads: the first page needs the rights alone.
    resolveId: {
      order: 'pre',
      async handler(source, importer = '') {
        const [file = '', catalogue = basename(file)] = importer.split('?');
        if (!inContract.test(file) || !/\/features?\.ts$/.test(source)) return null;
        const found = await this.resolve(source, file);
        return found && `${found.id}?${catalogue}`;
      },
    },
    transform(code, id) {
      if (!inContract.test(id)) return undefined;
      const pure = code.replaceAll(
        /(?<![\w.])(z\.\w+|rights\.flat|rightCatalogue\.map|heldBy)\(/g,
        '/* @__PURE__ */ $1(',
      );
      return { code: pure, map: null };
    },
  };
}

const inContract = /\/(?:contract\/src|features\/[\w-]+\/contract)\/[^?]+\.ts(\?|$)/;

const compresses = /^assets\/.*\.(?:js|css|svg|json)$/;
/** Bytes; below this compression gains nothing. */
const worthwhile = 128;

/**
 * Writes .br and .gz next to every built asset, so that the server only reads them. A development build has
 * none: compressing takes several times as long as the build.
 */
export function precompress(): Plugin {
  return {
    name: 'portico:precompress',
    apply: (_config, { command }) => command === 'build' && process.env['NODE_ENV'] !== 'development',
    async writeBundle({ dir = '' }, bundle) {
      const work = Object.values(bundle).map(async (built) => {
        const content = Buffer.from(built.type === 'chunk' ? built.code : built.source);
        if (!compresses.test(built.fileName) || content.length < worthwhile) return;
        const file = join(dir, built.fileName);
        await writeFile(`${file}.br`, await smallestBrotli(content));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      });
      await Promise.all(work);
    },
  };
}

/** Tries several modes, since the mode that compresses best differs from file to file. */
async function smallestBrotli(content: Buffer): Promise<Buffer> {
  const tries = [0, 1, 2, 3].map((postfix) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  );
  return (await Promise.all(tries)).reduce((best, next) => (next.length < best.length ? next : best));
}

type Hook = (this: unknown, one: string, other?: string) => unknown;

/**
 * Makes a plugin fail the build when the plugin has changed nothing: otherwise a path or a pattern that no longer
 * matches would go unnoticed.
 *
 * @param within a pattern for the path of a module that the plugin has to change; left out: any module
 */
export function mustChange(plugin: Plugin, within = /./): Plugin {
  let changed = false;
  /** @param path which of the hook's parameters is the path of the module */
  const watched = (hook: unknown, path: 0 | 1) =>
    typeof hook !== 'function'
      ? hook
      : function (this: unknown, ...args: [string, string?]) {
          const answer: unknown = (hook as Hook).apply(this, args);
          const code = (answer as { code?: string } | undefined)?.code ?? answer;
          changed ||= code !== undefined && code !== args[0] && within.test(args[path] ?? '');
          return answer;
        };
  const { resolveId, load, transform, ...rest } = plugin;
  return {
    ...rest,
    ...(resolveId === undefined ? {} : { resolveId: watched(resolveId, 1) as typeof resolveId }),
    ...(load === undefined ? {} : { load: watched(load, 0) as typeof load }),
    ...(transform === undefined ? {} : { transform: watched(transform, 1) as typeof transform }),
    buildEnd(error) {
      if (!changed && error === undefined)
        this.error(`${plugin.name} changed nothing in ${within.source}: look at the paths it looks for.`);
    },
  };
}

/**
 * The build knows no base path, so scripts and styles load other files by addresses relative to their own. Vite
 * would write addresses from the root, or pass the script's own address to each import, which takes many bytes.
 */
export function besideEachOther(): Plugin {
  let isDone = false;
  return {
    name: 'portico:beside-each-other',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return undefined;
      // Scripts are in `assets`, and the names of these files begin with `assets/`.
      const changed = code.replace('return "/"+dep', 'return "../"+dep');
      isDone = changed !== code;
      return { code: changed, map: null };
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        if (!isDone) this.error('The addresses of what is loaded later could not be made relative.');
        for (const built of Object.values(bundle))
          if (built.type === 'asset' && built.fileName.endsWith('.css'))
            built.source = built.source.toString().replaceAll('url(/assets/', 'url(');
      },
    },
  };
}
