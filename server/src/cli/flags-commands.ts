import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { Flag } from '#features/flags/contract/flags.ts';
import { builtInFlags, readFlags } from '#features/flags/server/flags.store.ts';
import {
  applyImport,
  exportDocument,
  planImport,
  type ImportPlan,
} from '#features/flags/server/import-plan.ts';
import { createRecordFlag } from '#features/flags/server/record-flag.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';

const largestDocument = 8_388_608;
const largestSource = 1_000_000;

export const flagsExport: Command = {
  summary: 'Prints all flags and segments as one JSON document',
  about:
    'Another installation takes it by "flags import". The same flags give the same text, so that it can be versioned.',
  options: {},
  startsData: false,
  prepare() {
    return async ({ database }) => {
      const document = await exportDocument(database.read);
      return {
        result: JSON.stringify(document, null, 2),
        notes: [`${document.flags.length} flags, ${document.segments.length} segments.`],
        json: document,
      };
    };
  },
};

export const flagsImport: Command = {
  summary: 'Shows what an import of flags would change, and with --apply imports them',
  about: [
    'Takes an export of Portico or Unleash, or a payload or API answers of GrowthBook. Flags that the file does not have stay.',
    'Prints a line for each flag and segment: new, changed or same, what is different, and on standard error what does not map.',
  ].join('\n'),
  operand: { name: 'FILE', help: 'The document; - is standard input' },
  options: {
    environment: { value: 'NAME', help: 'Which environment of the document counts' },
    apply: { value: null, help: 'Import, all or nothing' },
  },
  startsData: false,
  prepare(values) {
    return async ({ database, clock, publicUrl, actor }) => {
      const document = await readDocument(values['FILE'] ?? '');
      const request = { document, environment: values['environment'] };
      const record = createRecordFlag({ clock, publicUrl, rightsOf: () => new Set() });
      // A person with a command line on the server has every right.
      const withoutReview = { bypassReview: true, note: 'portico flags import' };
      try {
        const plan = await planImport(database.read, request);
        const applied =
          values['apply'] === undefined
            ? null
            : await database.change((change) =>
                applyImport(change, request, plan, actor, (within, by, what, flag) =>
                  record(within, by, what, flag, withoutReview),
                ),
              );
        return {
          result: linesOf(plan).join('\n'),
          notes: [
            ...(plan.environments.length < 2
              ? []
              : [`Of ${plan.environments.join(', ')}, ${plan.environment} counts; see --environment.`]),
            ...plan.unmapped.map(({ kind, name, reason, detail }) =>
              `${kind} ${name}: ${reason} ${detail}`.trimEnd(),
            ),
            applied === null
              ? 'Nothing was imported. Repeat it with --apply.'
              : `${applied.created} flags are new, ${applied.changed} are changed.`,
          ],
          json: { lines: linesOf(plan), unmapped: plan.unmapped, kept: plan.kept, applied },
        };
      } catch (error) {
        if (!(error instanceof HttpProblem)) throw error;
        const fields = (error.details.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
        throw new Failure([error.message, ...fields].join('; '));
      }
    };
  },
};

export const flagsTypes: Command = {
  summary: 'Prints TypeScript types of all flags, for GrowthBook<AppFeatures>',
  about:
    'A key that there is not, and a fallback of another type, is then a mistake that the compiler finds.',
  options: {},
  startsData: false,
  prepare() {
    return async ({ database }) => {
      const flags = await readFlags(database.read);
      return {
        result: typesOf(flags),
        notes: [],
        json: { flags: flags.map(({ key, type }) => ({ key, type })) },
      };
    };
  },
};

export const flagsRefs: Command = {
  summary: 'Lists where source files name flags, and flags that none names',
  about: [
    'Reads the files of a folder and those in it, apart from node_modules, .git, binary files and those over 1 MB.',
    'Fails where a call of a GrowthBook or OpenFeature SDK names a flag that there is not.',
  ].join('\n'),
  operand: { name: 'FOLDER', help: 'The source files, such as src/' },
  options: {},
  startsData: false,
  prepare(values) {
    const folder = resolve(values['FOLDER'] ?? '');
    return async ({ database }) => {
      const keys = new Set((await readFlags(database.read)).map(({ key }) => key));
      const uses: Use[] = [];
      for await (const path of sourceFiles(folder)) {
        const bytes = await readFile(path);
        if (!bytes.includes(0)) uses.push(...usesIn(bytes.toString(), relative(folder, path), keys));
      }
      const unknown = uses.filter(({ key }) => !keys.has(key) && !builtInFlags.includes(key));
      const used = new Set(uses.map(({ key }) => key));
      const unused = [...keys].filter((key) => !used.has(key));
      return {
        result: uses.map(({ file, line, key }) => `${file}:${line}\t${key}`).join('\n'),
        notes: [
          ...unknown.map(({ file, line, key }) => `${file}:${line} asks for ${key}, which is no flag.`),
          `${unused.length} of ${keys.size} flags are not named: ${unused.join(', ') || 'none'}.`,
        ],
        json: { uses, unknown, unused },
        failed: unknown.length > 0,
      };
    };
  },
};

async function readDocument(path: string): Promise<string> {
  try {
    if (path === '-') return await textOf(process.stdin);
    if ((await stat(path)).size > largestDocument) throw new Error(`has more than ${largestDocument} bytes`);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One line for each flag and segment, with the names of the fields that change. */
function linesOf({ flags, segments }: ImportPlan): string[] {
  return [
    ...flags.map(({ before, after, state }) => {
      const changed = Object.entries(after).filter(
        ([name, value]) =>
          before !== null && JSON.stringify(value) !== JSON.stringify(before[name as keyof Flag]),
      );
      return [state, after.key, changed.map(([name]) => name).join(', ')].join('\t').trimEnd();
    }),
    ...segments.map(({ after, state }) => `${state}\tsegment ${after.name}`),
  ];
}

function typesOf(flags: readonly Flag[]): string {
  const members = flags.flatMap(({ key, type, description }) => [
    ...(description === ''
      ? []
      : [`  /** ${description.replaceAll(/\s+/g, ' ').replaceAll('*/', String.raw`*\/`)} */`]),
    `  ${JSON.stringify(key)}: ${type === 'json' ? 'unknown' : type};`,
  ]);
  return [
    '/** The flags, for `new GrowthBook<AppFeatures>()`. */',
    'export type AppFeatures = {',
    '  "MAINTENANCE": boolean;',
    '  "MAINTENANCE_TEXT": string;',
    ...members,
    '};',
  ].join('\n');
}

type Use = { file: string; line: number; key: string };

/** Files in the order of their paths; links are not followed. */
async function* sourceFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new Failure(`${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
      yield* sourceFiles(path);
    else if (entry.isFile() && (await stat(path)).size <= largestSource) yield path;
  }
}

/** A text in quotes, and before it the name of the function that is called with it, if any. */
const quoted = /(?:\b(\w+)(?:<[\w\s|[\]{}:;'",]{1,100}>)?\(\s*)?(["'`])([\w.:|$-]{1,101})\2/g;

/** Functions of the SDKs whose first argument is the key of a flag. */
const asks =
  /^(?:isOn|isOff|getFeatureValue|evalFeature|useFeatureIsOn|useFeatureValue|useFeature|useFlag|(?:get|use|resolve)(?:Boolean|String|Number|Object)(?:Flag)?(?:Value|Details))$/;

function usesIn(source: string, file: string, keys: ReadonlySet<string>): Use[] {
  return source
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(quoted)].flatMap(([, called = '', , key = '']) =>
        keys.has(key) || asks.test(called) ? [{ file, line: index + 1, key }] : [],
      ),
    );
}
