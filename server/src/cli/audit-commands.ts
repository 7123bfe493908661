import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { auditThrough, exportAudit } from '#features/audit/contract/audit.ts';
import { presentNames } from '../features.ts';
import { exportLines } from '#features/audit/server/export-lines.ts';
import type { Command, Terminal, Values } from './command.ts';
import { UsageError } from './failure.ts';
import { writeNewFile } from './new-file.ts';
import { choiceIn, instantIn, lineIn } from './values.ts';

const filters = {
  search: { value: 'WORDS', help: 'Words that each stand somewhere in actor, subject, before or after' },
  actor: { value: 'WHO', help: 'The id of a person or token, or the name in the entry' },
  action: { value: 'ACTION', help: 'One action, such as person.set-roles' },
  area: { value: 'AREA', help: 'All actions of an area, such as person' },
  subject: { value: 'ID', help: 'What it was done to: an id, or the key of a flag' },
  through: { value: 'WAY', help: auditThrough.options.join(', ') },
  from: { value: 'TIME', help: 'Not before, such as 2026-11-21T22:00Z' },
  until: { value: 'TIME', help: 'Not after' },
} as const;

export const auditExport: Command = {
  summary: 'Writes the audit as CSV or JSON lines, to a file or to standard output',
  about: [
    'The latest entry first, each whole, as the console exports them; times are UTC. Nothing is kept in memory, and a running',
    'server is not held up. A file is there whole or not at all.',
  ].join('\n'),
  startsData: false,
  options: {
    format: { value: 'FORMAT', help: 'csv (the default) or jsonl' },
    to: { value: 'FILE', help: 'The file to write, which must not be there yet; else standard output' },
    ...filters,
  },
  prepareStream(values, { json }) {
    const { format, ...filter } = queryIn(values);
    const file = values['to'] === undefined ? null : resolve(lineIn(values, 'to', 1, 4096));
    if (json && file === null)
      throw new UsageError('--json prints the outcome, which would stand among the entries: add --to.');
    return async ({ database }, terminal) => {
      let entries = 0;
      async function* counted(): AsyncGenerator<string, void, undefined> {
        for await (const piece of exportLines({ read: database.read, names: presentNames }, filter, {
          format,
          offset: null,
        })) {
          entries += piece.split('\n').length - 1;
          yield piece;
        }
      }
      if (file === null) await printAll(counted(), terminal);
      else await writeNewFile(file, Readable.from(counted(), { objectMode: false }));
      // The first line of CSV names the columns.
      if (format === 'csv') entries -= 1;
      return {
        result: file,
        notes: [entries === 1 ? '1 entry.' : `${entries} entries.`],
        json: { file, format, entries },
      };
    };
  },
};

/** The filter as the API takes it. Throws UsageError. */
function queryIn(values: Values) {
  const [from, until] = [instantIn(values, 'from'), instantIn(values, 'until')];
  if (from !== null && until !== null && from > until)
    throw new UsageError('--from is after --until: nothing can be between them.');
  const format = choiceIn(values, 'format', ['csv', 'jsonl']);
  const through = choiceIn(values, 'through', auditThrough.options);
  const { search, actor, action, area, subject } = values;
  const given = { search, actor, action, area, subject, format, through, from, until };
  const result = exportAudit.query.safeParse(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)),
  );
  if (result.success) return result.data;
  const name = String(result.error.issues[0]?.path[0]);
  const what = name in filters ? filters[name as keyof typeof filters].help : 'another value';
  throw new UsageError(`--${name} cannot be used as it is; expected: ${what}.`);
}

async function printAll(pieces: AsyncIterable<string>, terminal: Terminal): Promise<void> {
  for await (const piece of pieces) {
    // `print` adds the line break of the last line.
    terminal.print(piece.slice(0, -1));
    await terminal.taken?.();
  }
}
