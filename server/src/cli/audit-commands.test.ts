import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportAudit } from '#features/audit/contract/audit.ts';
import { readConfig } from '../config.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { environmentOf, runInside } from '../testing/command-line.ts';
import { engines, provedOn } from '../testing/fresh-database.ts';
import { addToken } from '../testing/people.ts';
import { runCommandLine } from './run.ts';

type Ended = { code: number; out: string; errors: string };

async function run(app: Pick<TestApp, 'place'>, ...args: string[]): Promise<Ended> {
  let [out, errors] = ['', ''];
  const environment = environmentOf(app.place);
  const code = await runCommandLine(['audit', 'export', ...args], () => readConfig(environment), {
    print: (text) => (out += `${text}\n`),
    publish: (text) => (errors += `${text}\n`),
  });
  return { code, out, errors };
}

/** An installation in which 250 flags were switched, more than are read in one go. */
async function start(engine: (typeof engines)[number]): Promise<{ app: TestApp; folder: string }> {
  const app = await startApp({ engine });
  await app.database.change(async (change) => {
    const actor = { kind: 'command-line', id: null, name: 'ada' } as const;
    for (let index = 0; index < 250; index += 1) {
      const after = { value: index, text: 'line 1\nline 2, "=1+1"' };
      await recordAudit(change, actor, { action: 'flag.switch', subject: `FLAG_${index % 2}`, after });
    }
  });
  const folder = mkdtempSync(join(tmpdir(), 'portico-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { app, folder };
}

describe.each(engines)('the audit on the command line on %s', (engine) => {
  const once = provedOn(engine);
  it('AUD-1, CLI-1: writes what the API exports, to standard output and to a file, by the same filters', async () => {
    const { app, folder } = await start(engine);
    const auditor = { accessToken: await addToken(app, { rights: ['AUDIT_READ'] }) };
    for (const format of ['csv', 'jsonl'] as const) {
      const query = { format, subject: 'FLAG_1', search: 'line', through: 'command-line' as const };
      const { text } = await app.call(exportAudit, { query }, auditor);
      // `text` is without the byte order mark at its beginning.
      const bytes = format === 'csv' ? `\u{feff}${text}` : text;
      const args = Object.entries(query).flatMap(([name, value]) => [`--${name}`, value]);
      expect(await run(app, ...args)).toEqual({ code: 0, out: bytes, errors: '125 entries.\n' });
      const file = join(folder, `audit.${format}`);
      const written = await run(app, ...args, '--to', file, '--json');
      expect([written.code, JSON.parse(written.out)]).toEqual([0, { file, format, entries: 125 }]);
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([bytes, 0o600]);
      expect(await run(app, ...args, '--to', file)).toMatchObject({
        code: 1,
        errors: `${file} is there already.\n`,
      });
      expect(readFileSync(file, 'utf8')).toBe(bytes);
    }
    const none = await run(app, '--format', 'jsonl', '--area', 'person');
    expect(none).toEqual({ code: 0, out: '', errors: '0 entries.\n' });
    const until = await run(app, '--until', '2020-01-01T00:00Z');
    expect([until.out.split('\r\n').length, until.errors]).toEqual([2, '0 entries.\n']);
  });

  it.each(once)('AUD-1, CLI-1: leaves no half file behind', async () => {
    const { app, folder } = await start(engine);
    const nowhere = join(folder, 'not', 'there.csv');
    const refused = await run(app, '--to', nowhere);
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining(`${nowhere} cannot be written`),
    ]);
    const file = join(folder, 'half.jsonl');
    await app.database.transaction((tx) =>
      tx
        .insertInto('audit')
        .values({
          id: 'broken',
          at: 1,
          actor_kind: 'command-line',
          actor_id: null,
          actor_name: 'ada',
          action: 'flag.switch',
          subject: 'FLAG_1',
          before: '{',
          after: null,
          search_key: '',
        })
        .execute(),
    );
    expect((await run(app, '--format', 'jsonl', '--to', file)).code).toBe(1);
    expect(existsSync(file)).toBe(false);
  });
});

function unread(): never {
  throw new Error('The configuration was read before the options were checked.');
}

it.each([
  [['--format', 'xml'], '--format holds "xml"; expected csv, jsonl.'],
  [['--through', 'telepathy'], '--through holds "telepathy"'],
  [
    ['--action', 'Switch!'],
    '--action cannot be used as it is; expected: One action, such as person.set-roles.',
  ],
  [['--search', 'x'.repeat(201)], '--search cannot be used as it is'],
  [['--subject', 'a\u0000b'], '--subject cannot be used as it is'],
  [['--from', 'yesterday'], '--from holds "yesterday"'],
  [['--from', '2026-01-02T00:00Z', '--until', '2026-01-01T00:00Z'], '--from is after --until'],
  [['--json'], 'add --to'],
  [['everything'], 'everything'],
])('CLI-1: refuses %j clearly, with nothing on standard output', async (args, message) => {
  const { code, out, errors } = await runInside(['audit', 'export', ...args], unread);
  expect([code, out]).toEqual([2, '']);
  expect(errors).toContain(message);
});
