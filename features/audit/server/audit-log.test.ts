import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { startProcess } from '#server/testing/child-process.ts';
import {
  afterThisTest,
  engines,
  freshDatabase,
  provedOn,
  type Engine,
} from '#server/testing/fresh-database.ts';
import { freePort } from '#server/testing/free-port.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { createAuditLog } from './audit-log.ts';
import { recordAudit, type Actor } from './audit.store.ts';

const actor: Actor = { kind: 'command-line', id: null, name: 'root' };

const note = (app: TestApp, subject: string) =>
  app.database.change((change) =>
    recordAudit(change, actor, { action: 'flag.update', subject, after: { token: 'hidden', text: 'a\nb' } }),
  );

/** The subjects that stand in a log, in order. */
const subjectsIn = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { subject: string }).subject)
    : [];

async function installation(engine: Engine) {
  const place = await freshDatabase(engine);
  const file = join(place.dataDir, 'audit.jsonl');
  const app = await startApp({ on: place, config: { auditLog: { file } } });
  return { app, place, file };
}

const becomes = (file: string, subjects: string[]) => expect.poll(() => subjectsIn(file)).toEqual(subjects);

describe.each(engines)('the log of the audit on %s', (engine) => {
  const once = provedOn(engine);
  it('AUD-1: has each entry as one line of JSON, in order, once, over restarts, without secrets', async () => {
    const { app, file } = await installation(engine);
    await note(app, 'A');
    await note(app, 'B');
    await becomes(file, ['A', 'B']);
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '')).toEqual({
      type: 'audit',
      id: expect.any(String),
      at: expect.any(Number),
      time: expect.stringMatching(/Z$/),
      through: 'command-line',
      actor: 'root',
      actorId: null,
      action: 'flag.update',
      subject: 'A',
      before: null,
      after: { token: '[removed]', text: 'a\nb' },
    });
    await note(app, 'C');
    await app.stop();
    // What was written before the stop is out by its end.
    expect(subjectsIn(file)).toEqual(['A', 'B', 'C']);

    // Written in between by a process without a log, such as the command line.
    const silent = await startApp({ after: app, config: { auditLog: null } });
    await note(silent, 'D');
    await silent.stop();
    const again = await startApp({ after: app });
    await note(again, 'E');
    await becomes(file, ['A', 'B', 'C', 'D', 'E']);
  });

  it.each(once)('AUD-1: goes on when a clock that was a year ahead is right again', async () => {
    const place = await freshDatabase(engine);
    const file = join(place.dataDir, 'audit.jsonl');
    const clock = movableClock(Date.now() + 365 * 86_400_000);
    const ahead = await startApp({ on: place, clock, config: { auditLog: { file } } });
    await note(ahead, 'A');
    await becomes(file, ['A']);
    await ahead.stop();
    const right = await startApp({
      on: place,
      config: { auditLog: { file }, allowClockBehind: true },
    });
    await note(right, 'B');
    await becomes(file, ['A', 'B']);
    expect(right.log.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it.each(once)('AUD-1: goes on in a new file after a rotation, and behind a line cut short', async () => {
    const { app, file } = await installation(engine);
    await note(app, 'A');
    await becomes(file, ['A']);
    renameSync(file, `${file}.1`);
    await note(app, 'B');
    await becomes(file, ['B']);
    expect(subjectsIn(`${file}.1`)).toEqual(['A']);
    await app.stop();

    appendFileSync(file, '{"type":"aud');
    const again = await startApp({ after: app });
    await note(again, 'C');
    await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/\n\{"type":"aud\n\{.*"C".*\n$/);
  });

  it.each(once)('AUD-1: loses nothing while the file cannot be written', async () => {
    const { app, file } = await installation(engine);
    await note(app, 'A');
    await becomes(file, ['A']);
    rmSync(file);
    mkdirSync(file);
    await note(app, 'B');
    await note(app, 'C');
    await expect
      .poll(() => app.log.some(({ msg }) => msg.startsWith('the audit cannot be written')))
      .toBe(true);
    rmSync(file, { recursive: true });
    await becomes(file, ['B', 'C']);
  });
});

describe.each(engines)('a writer of the log on %s', (engine) => {
  it('AUD-1: that has lost its turn does not set the place back that another one has reached', async () => {
    const place = await freshDatabase(engine);
    const clock = movableClock();
    const app = await startApp({ on: place, clock });
    const { database } = app;
    const logger = createLogger('silent');
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const subjectsOf = (lines: string) => lines.match(/"subject":"[A-Z]"/g) ?? [];
    const slow: string[] = [];
    const first = createAuditLog({
      database,
      clock,
      logger,
      names: {},
      output: {
        async write(lines) {
          slow.push(...subjectsOf(lines));
          begun.resolve();
          await held.promise;
        },
        close: () => Promise.resolve(),
      },
    });
    await note(app, 'A');
    await begun.promise;
    clock.move(60_000);
    const quick: string[] = [];
    const second = createAuditLog({
      database,
      clock,
      logger,
      names: {},
      output: {
        write: (lines) => Promise.resolve(void quick.push(...subjectsOf(lines))),
        close: () => Promise.resolve(),
      },
    });
    await note(app, 'B');
    await expect.poll(() => quick).toEqual(['"subject":"A"', '"subject":"B"']);
    await second.close();
    held.resolve();
    await first.close();
    expect(slow).toEqual(['"subject":"A"']);
  });
});

describe('the log of the audit', () => {
  it('AUD-1: does not wait for a named pipe without a reader, and loses nothing by it', async () => {
    const place = await freshDatabase('sqlite');
    const file = join(place.dataDir, 'pipe');
    execFileSync('mkfifo', [file]);
    const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
    afterThisTest(() => closeSync(pipe));
    const fill = () => {
      for (;;) writeSync(pipe, 'x'.repeat(4_096));
    };
    expect(fill).toThrow('EAGAIN');
    const app = await startApp({ on: place, config: { auditLog: { file } } });
    await note(app, 'A');
    await expect
      .poll(() => app.log.some(({ msg }) => msg.startsWith('the audit cannot be written')))
      .toBe(true);
    await app.stop();
    const next = join(place.dataDir, 'audit.jsonl');
    await startApp({ on: place, config: { auditLog: { file: next } } });
    await becomes(next, ['A']);
  });

  it('AUD-1: of two replicas one writes, and the other goes on where it stopped', async () => {
    const { app, file } = await installation('postgres');
    const other = join(app.place.dataDir, 'other.jsonl');
    await note(app, 'A');
    await becomes(file, ['A']);
    const second = await startApp({ replicaOf: app, config: { auditLog: { file: other } } });
    await note(second, 'B');
    await becomes(file, ['A', 'B']);
    expect(subjectsIn(other)).toEqual([]);
    await app.stop();
    await note(second, 'C');
    await becomes(other, ['C']);
    expect(subjectsIn(file)).toEqual(['A', 'B']);
  });

  it('AUD-1: goes to standard output, and a kill loses nothing', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const environment = {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      NODE_ENV: 'test',
      AUDIT_LOG: 'stdout',
      OPERATOR_EMAIL: 'operator@example.org',
      OPERATOR_PASSWORD: 'walks under the portico',
    };
    const first = startProcess('main.ts', [], environment);
    const line = await first.line(/"type":"audit"/);
    expect(JSON.parse(line)).toMatchObject({ action: 'set-up.unattended', through: 'start' });
    await first.kill();
    const cli = startProcess('cli.ts', ['operator', 'create', '--email', 'ada@example.org'], environment);
    expect(await cli.ended).toBe(0);
    const second = startProcess('main.ts', [], { ...environment, PORT: String(await freePort()) });
    await second.line(/"operator\.create"/);
    // What the kill cut off from its place is sent again at the most.
    const auditLines = second.lines.filter((each) => each.includes('"type":"audit"'));
    expect(auditLines.length).toBeLessThanOrEqual(2);
  });
});
