import type { Plugin, Rolldown } from 'vite';

const stubs: Readonly<Record<string, string>> = {
  'dom-mutator': 'export default {}',
  // The last three are imported, but used by methods that are left out.
  './feature-repository.mjs': `export const clearAutoRefresh = () => {}, unsubscribe = () => {};
    export let configureCache, refreshFeatures, startBackgroundSync;`,
};

/**
 * Leaves out of GrowthBook's SDK its own requests, as `flags.ts` gives it each payload, and the experiments that
 * change the page by themselves: those made in a visual editor, which Portico's Content-Security-Policy would
 * refuse, and redirects, with which a flag host could send people away. Experiments within flags stay.
 */
export function withoutGrowthBookParts(): Plugin {
  return {
    name: 'portico:without-growthbook-parts',
    enforce: 'pre',
    resolveId: (id, importer) =>
      stubs[id] !== undefined && importer?.endsWith('/growthbook/dist/esm/GrowthBook.mjs') === true
        ? `\0stub:${id}`
        : undefined,
    load: (id) => (id.startsWith('\0stub:') ? stubs[id.slice('\0stub:'.length)] : undefined),
    transform(code, id) {
      if (!id.endsWith('/growthbook/dist/esm/GrowthBook.mjs')) return undefined;
      const rest = replaceMethods(this, code, 'GrowthBook', {
        init: '',
        initSync: '',
        loadFeatures: '',
        refreshFeatures: '',
        _refresh: '',
        _refreshForRemoteEval: 'async _refreshForRemoteEval() {}',
        triggerExperiment: 'triggerExperiment() { return null; }',
        _runAutoExperiment: '',
        _undoActiveAutoExperiment: '',
        _updateAllAutoExperiments: '_updateAllAutoExperiments() {}',
        _isAutoExperimentBlockedByContext: '',
        _getNavigateFunction: '',
        _applyDOMChanges: '',
      });
      return { code: rest, map: null };
    },
  };
}

/** Portico's languages, as React Aria names its own texts. */
const own = /[\\/](?:de-DE|en-US|fr-FR)\.m?js$/;
const texts =
  /[\\/]node_modules[\\/]react-(?:aria|stately)[\\/].*[\\/]intl[\\/].*[\\/][a-z]{2}-[A-Z]{2}\.m?js$/;

/** Leaves out of React Aria the words of the thirty languages that Portico does not have. */
export function withoutOtherLocales(): Plugin {
  return {
    name: 'portico:without-other-locales',
    enforce: 'pre',
    load: (id) => (texts.test(id) && !own.test(id) ? 'export default {}' : undefined),
  };
}

type Node = { type: string; start: number; end: number };
type Unused = { start: number; end: number; text: string };

/** The replacements of i18next's classes, by name. */
const instead: Record<string, string> = {
  // What the class does without a backend; Portico passes catalogues to i18next itself (`platform/i18n`).
  Connector: `class Connector extends EventEmitter {
    state = {};
    load(languages, namespaces, callback) { callback?.(); }
    reload(languages, namespaces, callback) { callback?.(); }
    saveMissing() {}
  }`,
  // Numbers and dates are formatted by `platform/i18n/formats.ts`, in the person's time zone.
  Formatter: `class Formatter {
    format(value, format) { throw new Error('The format ' + format + ' of a text is not built in.'); }
  }`,
};

/**
 * Leaves out of i18next what Portico does not use and every browser would download with the first page: its
 * log, which it writes only while `debug` is on, the loading of catalogues by a backend, formats within texts,
 * texts within texts (`$t(…)`), copies of itself, and the languages that are written from right to left.
 */
export function withoutI18nextParts(): Plugin {
  return {
    name: 'portico:without-i18next-parts',
    transform(code, id) {
      if (!id.endsWith('/i18next/dist/esm/i18next.js')) return undefined;
      const found: Unused[] = [];
      findUnused(this.parse(code), code, found);
      for (const [name, text] of Object.entries(instead))
        if (!found.some((one) => one.text === text))
          this.error(`i18next has no class ${name} any more: look at what this plugin replaces.`);
      let rest = code;
      for (const { start, end, text } of found.toReversed())
        rest = rest.slice(0, start) + text + rest.slice(end);
      rest = replaceMethods(this, rest, 'I18n', { dir: '', cloneInstance: '' });
      rest = replaceMethods(this, rest, 'Interpolator', { nest: 'nest(text) { return text; }' });
      return { code: rest, map: null };
    },
  };
}

/**
 * Finds the classes in `instead` and calls such as `this.logger.warn('…')`, in the order of the code; never one
 * inside another.
 */
function findUnused(node: unknown, code: string, found: Unused[]): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, start, end } = node as Node;
  const beginning = code.slice(start, start + 80);
  const text = type === 'ClassDeclaration' ? instead[/^class (\w+)/.exec(beginning)?.[1] ?? ''] : undefined;
  if (text !== undefined) found.push({ start, end, text });
  else if (type === 'CallExpression' && /^[\w.]*\.logger\.(?:log|warn|deprecate)\(/.test(beginning))
    found.push({ start, end, text: 'void 0' });
  else for (const child of Object.values(node)) findUnused(child, code, found);
}

type Method = { start: number; end: number; key: { name?: string } };
type Class = { type: string; id: { name: string } | null; body: { body: Method[] } };
type Statement = Partial<Class> & { declaration?: Partial<Class> | null };
type Build = Pick<Rolldown.TransformPluginContext, 'parse' | 'error'>;

/**
 * Returns the script of a library in which some methods of one class are replaced.
 *
 * @param instead the new methods by name, as JavaScript; an empty text removes the method
 */
function replaceMethods(
  build: Build,
  code: string,
  className: string,
  instead: Readonly<Record<string, string>>,
): string {
  const statements = build.parse(code).body as unknown as Statement[];
  const methods = statements
    .map((statement) => statement.declaration ?? statement)
    .filter(({ type, id }) => type === 'ClassDeclaration' && id?.name === className)
    .flatMap(({ body }) => body?.body ?? [])
    .filter(({ key }) => key.name !== undefined && Object.hasOwn(instead, key.name));
  if (methods.length !== Object.keys(instead).length)
    build.error(`The class ${className} has other methods now: look at what is replaced in it.`);
  let rest = code;
  for (const { start, end, key } of methods.toReversed())
    rest = rest.slice(0, start) + instead[key.name ?? ''] + rest.slice(end);
  return rest;
}
