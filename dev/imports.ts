// Who may import whom (ARCHITECTURE.md). Part of `npm run check`: reads the imports of every file and lists
// the forbidden ones, and the circles.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, resolve, sep } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** What every page of a member loads, and some of the entry pages. */
const light =
  /^web\/src\/(ui\/|features\/(session|profile|permissions|flags|maintenance|feedback(\/screenshot)?)\/[^/]+$)/;
const featureFolder = /^(server|web)\/src\/features\/[^/]+/;
const lateConsole = /^web\/src\/features\/[^/]+\/console\//;
const testFile = /\.test\.tsx?$/;

/**
 * What the parts of the repository may import of each other, and why they may not import more. The first
 * folder that fits counts.
 */
const parts: readonly Part[] = [
  {
    name: 'contract',
    folder: /^contract\/src\//,
    may: [],
    why: 'The contract declares; what server and web compute alike stands in contract/rules, which imports the contract.',
  },
  { name: 'contract/rules', folder: /^contract\/rules\//, may: ['contract'] },
  { name: 'server/testing', folder: /^server\/src\/(?:features\/[^/]+\/)?testing\//, may: ['server/*'] },
  {
    name: 'server/platform',
    folder: /^server\/src\/platform\//,
    may: [],
    why: 'The platform knows no feature and no configuration. Take what it needs as a parameter; app.ts passes it in.',
  },
  {
    name: 'server/feature',
    folder: /^server\/src\/features\/([^/]+)\//,
    may: ['server/platform', 'server/manifest', 'server/feature'],
    why: 'A feature imports the platform and other features, without circles. Let ground.ts pass in the rest.',
  },
  {
    name: 'server/manifest',
    folder: /^server\/src\/(?:feature|ground)\.ts$/,
    may: ['server/core', 'server/platform', 'server/feature'],
  },
  {
    name: 'server/core',
    folder: /^server\/src\/(?:core|config[^/]*)\.ts$/,
    may: ['server/platform', 'manifest'],
    why: 'Every feature may import the configuration and the core: they import none.',
  },
  {
    name: 'server/root',
    folder: /^server\/src\//,
    may: ['server/core', 'server/manifest', 'server/platform', 'server/feature', 'manifest'],
  },
  { name: 'web/testing', folder: /^web\/src\/testing\//, may: ['web/*'] },
  {
    name: 'web/ui',
    folder: /^web\/src\/ui\//,
    may: [],
    why: 'web/ui holds components without a domain word and imports nothing local. Give it the value as a property.',
  },
  {
    name: 'web/platform',
    folder: /^web\/src\/platform\//,
    may: [],
    why: 'web/platform knows the contract only: no feature, no component of the interface. Take what it needs as a parameter.',
  },
  {
    name: 'web/feature',
    folder: /^web\/src\/features\/([^/]+)\//,
    may: ['web/feature', 'web/core', 'web/platform', 'web/ui'],
    why: 'A web feature imports the contract, web/platform, web/ui, other features without circles, and the core of the web.',
  },
  {
    name: 'web/core',
    folder: /^web\/src\/(?:features?|late|app\/app-context)\.tsx?$/,
    may: ['web/app', 'web/feature', 'web/platform', 'web/ui'],
  },
  { name: 'web/app', folder: /^web\/src\/app\//, may: ['web/core', 'web/feature', 'web/platform', 'web/ui'] },
  { name: 'web/root', folder: /^web\/src\//, may: ['web/*'] },
  {
    name: 'around',
    folder: /^(dev|bench|e2e)\//,
    may: ['around', 'web/core'],
    why: "From outside, a package is entered by its exports only: '@portico/server/app', '@portico/contract/<capability>'.",
  },
  { name: 'manifest', folder: /^(contract|server|web)\/package\.json$/, may: [] },
];

type Part = {
  readonly name: string;
  readonly folder: RegExp;
  readonly may: readonly string[];
  readonly why?: string;
};

type Import = {
  readonly source: string;
  readonly at: number;
  readonly kind: 'value' | 'type' | 'export';
};

/**
 * Lists what the files below `folder` import against the rules, a line for each.
 *
 * @param folder the repository
 */
export function forbiddenImports(folder: string): string[] {
  return filesIn(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return importsOf(file, text).flatMap((found) => {
      const why = refusal(file, found);
      if (why === undefined) return [];
      return [`${file}:${text.slice(0, found.at).split('\n').length} may not import ${found.source}. ${why}`];
    });
  });
}

/**
 * Lists the circles of files that import each other, and of features of one side, a line for each, in alphabetical
 * order. Imports of types count (oxlint's `import/no-cycle` leaves them out), and so does what is loaded late by
 * `import()`.
 *
 * @param folder the repository
 */
export function importCircles(folder: string): string[] {
  const files = filesIn(folder);
  const known = new Set(files);
  const imported = new Map(
    files.map((file) => [
      file,
      importsOf(file, readFileSync(join(folder, file), 'utf8'))
        .filter(({ source }) => source.startsWith('.'))
        .map(({ source }) => posix.join(posix.dirname(file), source))
        .filter((target) => known.has(target)),
    ]),
  );
  const ofFeatures = new Map<string, string[]>();
  for (const [file, targets] of imported) {
    const from = featureFolder.exec(file)?.[0];
    if (from === undefined || testFile.test(file)) continue;
    ofFeatures.set(from, [
      ...(ofFeatures.get(from) ?? []),
      ...targets.flatMap((target) => featureFolder.exec(target)?.[0] ?? []),
    ]);
  }
  return [...stronglyConnected(imported), ...stronglyConnected(ofFeatures)]
    .filter((circle) => circle.length > 1)
    .map(
      (circle) =>
        `${circle.toSorted().join(', ')} import each other. Move what they share to a file of its own.`,
    )
    .toSorted();
}

/** Groups the nodes of a graph that reach each other (Tarjan, 1972). */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const groups: string[][] = [];
  const found = new Map<string, { index: number; lowest: number; onStack: boolean }>();
  const stack: string[] = [];
  const visit = (node: string): { index: number; lowest: number; onStack: boolean } => {
    const here = { index: found.size, lowest: found.size, onStack: true };
    found.set(node, here);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const seen = found.get(next);
      if (seen === undefined) here.lowest = Math.min(here.lowest, visit(next).lowest);
      else if (seen.onStack) here.lowest = Math.min(here.lowest, seen.index);
    }
    if (here.lowest === here.index) {
      const group = stack.splice(stack.indexOf(node));
      for (const one of group) {
        const state = found.get(one);
        if (state !== undefined) state.onStack = false;
      }
      groups.push(group);
    }
    return here;
  };
  for (const node of graph.keys()) if (!found.has(node)) visit(node);
  return groups;
}

/** The source files of a repository, as paths from it. */
export function filesIn(folder: string): string[] {
  const starts = ['contract/src', 'contract/rules', 'server/src', 'web/src', 'dev', 'bench', 'e2e'];
  return starts
    .filter((start) => existsSync(join(folder, start)))
    .flatMap((start) =>
      readdirSync(join(folder, start), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
        .map((name) => `${start}/${name.replaceAll(sep, '/')}`),
    );
}

/** What a file imports and passes on, types included. */
export function importsOf(file: string, text: string): readonly Import[] {
  const { program, module } = parseSync(file, text);
  const imports: Import[] = [
    ...module.staticImports.map(({ moduleRequest, entries, start }): Import => {
      const typesOnly = entries.length > 0 && entries.every(({ isType }) => isType);
      return { source: moduleRequest.value, at: start, kind: typesOnly ? 'type' : 'value' };
    }),
    ...module.staticExports.flatMap(({ entries, start }): Import[] => {
      const request = entries[0]?.moduleRequest;
      return request ? [{ source: request.value, at: start, kind: 'export' }] : [];
    }),
  ];
  if (text.includes('import(')) {
    new Visitor({
      ImportExpression({ source, start }) {
        if (source.type === 'Literal')
          imports.push({ source: String(source.value), at: start, kind: 'value' });
      },
      TSImportType({ source, start }) {
        imports.push({ source: source.value, at: start, kind: 'type' });
      },
    }).visit(program);
  }
  return imports;
}

/** Why `file` may not import this, or nothing if it may. */
function refusal(file: string, { source, kind }: Import): string | undefined {
  const from = partOf(file);
  const test = testFile.test(file);
  const local = source.startsWith('.');
  if (kind === 'export' && (local || source.startsWith('@portico/'))) {
    return 'No barrels: a file exports what it declares. Import it where it is used.';
  }
  if (!local) return refusedPackage(file, from.part, source, test);

  const target = posix.join(posix.dirname(file), source);
  const to = partOf(target);
  if (light.test(file) && lateConsole.test(target)) {
    return "Every page of a member carries this piece; the console's parts load late. Let the console import it, not the other way round.";
  }
  const { part } = to;
  if (part === undefined || from.part === undefined)
    return 'It belongs to no part that ARCHITECTURE.md names.';
  const side = from.part.name.split('/')[0] ?? '';
  const typeOfCore = part.name === 'server/core' && kind === 'type';
  const allowed =
    (from.part === part && from.feature === to.feature) ||
    [...from.part.may, ...(test ? [`${side}/*`] : [])].some((name) => fits(name, part.name)) ||
    (from.part.name === 'server/feature' && typeOfCore);
  if (allowed) return undefined;
  if (part.name.startsWith('contract') && !from.part.name.startsWith('contract')) {
    return "The contract is reached through its exports, not by path: import from '@portico/contract/<capability>'.";
  }
  return from.part.why ?? 'ARCHITECTURE.md, "Who may import whom", lists what it may.';
}

function refusedPackage(
  file: string,
  part: Part | undefined,
  source: string,
  test: boolean,
): string | undefined {
  const side = part?.name.split('/')[0];
  if (light.test(file) && source.startsWith('@tanstack/')) {
    return (
      'Every page of a member loads this component, and some of the entry pages do: ' +
      'no router and no query cache. Take data and callbacks as properties.'
    );
  }
  if (source.startsWith('@portico/')) {
    const readsContract =
      side !== 'contract' && part?.name !== 'web/ui' && source.startsWith('@portico/contract/');
    if (readsContract || (side === 'around' && source.startsWith('@portico/server/'))) return undefined;
    return (
      'Only the contract and what a package lists under "exports" may be imported from another package: ' +
      '@portico/contract/<capability>. The server and the web never import each other.'
    );
  }
  if (test || file.startsWith('contract/src/testing/')) return undefined;
  if (side === 'contract' && source !== 'zod/mini') {
    return (
      'The contract is read by server and browsers alike and imports its schema library only: ' +
      "'zod/mini'. Decide and compute on either side of it."
    );
  }
  if (side === 'web' && isBuiltin(source)) {
    return 'It exists in Node only; the web runs in browsers. Keep it on the server and let a route of the contract answer.';
  }
  return undefined;
}

type Place = { readonly part: Part | undefined; readonly feature: string };

function partOf(file: string): Place {
  for (const part of parts) {
    const found = part.folder.exec(file);
    if (found !== null) return { part, feature: found[1] ?? '' };
  }
  return { part: undefined, feature: '' };
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const complaints = [...forbiddenImports(root), ...importCircles(root)];
  for (const complaint of complaints) console.log(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
