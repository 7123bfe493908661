import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '#server/platform/log/logger.ts';
import { afterThisTest, openFresh } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { createAuditLog, type AuditLog } from './audit-log.ts';
import { recordAudit, type Actor } from './audit.store.ts';

const root: Actor = { kind: 'command-line', id: null, name: 'root' };

/** A writer of the log whose output is the test's; time stands still but where the test moves it. */
async function writers() {
  const clock = movableClock();
  const database = await openFresh('sqlite', clock);
  const log: { level: number; msg: string }[] = [];
  const writes: string[][] = [];
  let write = (): Promise<void> => Promise.resolve();
  let outputClosed = 0;
  let failing = false;

  return {
    database,
    clock,
    log,
    writes,
    outputClosed: () => outputClosed,
    fail() {
      failing = true;
    },
    answersBy(next: () => Promise<void>) {
      write = next;
    },
    async open(engine: 'sqlite' | 'postgres' = 'sqlite'): Promise<AuditLog> {
      const auditLog = createAuditLog({
        database: {
          ...database,
          engine,
          transaction: (work) =>
            failing ? Promise.reject(new Error('does not answer')) : database.transaction(work),
        },
        clock,
        logger: createLogger('debug', {
          write: (line) =>
            log.push(
              JSON.parse(line) as {
                level: number;
                msg: string;
              },
            ),
        }),
        names: {},
        output: {
          async write(lines) {
            writes.push([...lines.matchAll(/"subject":"(\w+)"/g)].map(([, subject = '']) => subject));
            await write();
          },
          close() {
            outputClosed += 1;
            return Promise.resolve();
          },
        },
      });
      let closing: Promise<void> | undefined;
      const close = () => (closing ??= auditLog.close());
      afterThisTest(close);
      await auditLog.run();
      return {
        run: auditLog.run,
        close,
      };
    },
    note: (...subjects: string[]) =>
      database.change(async (change) => {
        for (const subject of subjects)
          await recordAudit(change, root, {
            action: 'flag.update',
            subject,
          });
      }),
    async state() {
      const row = await database.read
        .selectFrom('setting')
        .select('value')
        .where('name', '=', 'audit-log')
        .executeTakeFirst();
      return JSON.parse(row?.value ?? 'null') as {
        sent: {
          id: string;
        };
        writer: string;
        until: number;
      };
    },
    setState: (state: object) =>
      database.transaction((tx) =>
        tx
          .insertInto('setting')
          .values({
            name: 'audit-log',
            value: JSON.stringify(state),
          })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: JSON.stringify(state) }))
          .execute(),
      ),
  };
}

describe('a writer of the audit log', () => {
  it('AUD-1: sends what is there in goes of two hundred, in order, each once, and remembers its place', async () => {
    const { note, open, writes, state, database } = await writers();
    const subjects = Array.from({ length: 450 }, (_, n) => `S${n}`);
    for (let n = 0; n < 450; n += 150) await note(...subjects.slice(n, n + 150));
    await open();
    const inOrder = await database.read
      .selectFrom('audit')
      .select(['id', 'subject'])
      .orderBy('at')
      .orderBy('id')
      .execute();
    expect(writes.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(writes.flat()).toEqual(inOrder.map(({ subject }) => subject));
    expect((await state()).sent.id).toBe(inOrder.at(-1)?.id);
  });

  it('AUD-1: begins where another one has stopped, whose turn is over, on SQLite at once', async () => {
    const { note, open, writes, setState, database, clock } = await writers();
    await note('A');
    await note('B');
    const [first] = await database.read.selectFrom('audit').select(['at', 'id']).orderBy('at').execute();
    const others = { sent: first, writer: 'another', until: clock.now() + 30_000 };
    await setState(others);
    const waiting = await open('postgres');
    expect(writes).toEqual([]);
    clock.move(29_999);
    await waiting.run();
    expect(writes).toEqual([]);
    clock.move(1);
    await waiting.run();
    expect(writes).toEqual([['B']]);
    await setState(others);
    await open();
    expect(writes).toEqual([['B'], ['B']]);
  });

  it('AUD-1: holds its turn while it writes, takes it again after half of it, and gives it away at the end', async () => {
    const { note, open, clock, state, outputClosed } = await writers();
    const { run, close } = await open();
    const begun = clock.now();
    const { writer } = await state();
    expect((await state()).until).toBe(begun + 30_000);
    clock.move(15_000);
    await run();
    expect((await state()).until).toBe(begun + 30_000);
    clock.move(1);
    await run();
    expect(await state()).toMatchObject({ writer, until: begun + 45_001 });
    clock.move(10_000);
    await note('A');
    await expect.poll(async () => (await state()).until).toBe(begun + 55_001);
    await close();
    expect(await state()).toMatchObject({ writer, until: 0 });
    expect(outputClosed()).toBe(1);
  });

  it('AUD-1: leaves the turn of another one alone at its end', async () => {
    const { open, setState, state, clock } = await writers();
    const { close } = await open('postgres');
    await setState({ sent: null, writer: 'another', until: clock.now() + 30_000 });
    await close();
    expect(await state()).toMatchObject({ writer: 'another', until: clock.now() + 30_000 });
  });

  it('AUD-1: logs once that its output fails, and once that it works again; nothing is lost', async () => {
    const { note, open, writes, log, answersBy } = await writers();
    const { run } = await open();
    expect(log).toEqual([]);
    answersBy(() => Promise.reject(new Error('full')));
    await note('A');
    await expect.poll(() => log.length).toBe(1);
    await run();
    await run();
    expect(log.map(({ level }) => level)).toEqual([50]);
    answersBy(() => Promise.resolve());
    await run();
    expect(writes.at(-1)).toEqual(['A']);
    await run();
    expect(log.map(({ level }) => level)).toEqual([50, 30]);
  });

  it('AUD-1: what comes while it writes goes out by the same run, and no two run at once', async () => {
    const { note, open, writes, answersBy } = await writers();
    const { run } = await open();
    const held = Promise.withResolvers<void>();
    answersBy(() => held.promise);
    await note('A');
    await expect.poll(() => writes).toEqual([['A']]);
    await note('B');
    const joined = [run(), run()];
    expect(joined[0]).toBe(joined[1]);
    await new Promise(setImmediate);
    expect(writes).toEqual([['A']]);
    answersBy(() => Promise.resolve());
    held.resolve();
    await Promise.all(joined);
    expect(writes).toEqual([['A'], ['B']]);
  });

  it('AUD-1: looks by itself every second for what other processes have written', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    afterThisTest(() => void vi.useRealTimers());
    const { open, writes, database } = await writers();
    const { run, close } = await open();
    const row = { id: 'x', at: 1, actor_kind: 'command-line', actor_id: null, actor_name: 'root' };
    const add = (id: string) =>
      database.transaction((tx) =>
        tx
          .insertInto('audit')
          .values({
            ...row,
            id,
            action: 'flag.update',
            subject: id,
            before: null,
            after: null,
            search_key: '',
          })
          .execute(),
      );
    await add('A');
    vi.advanceTimersByTime(999);
    await new Promise(setImmediate);
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect.poll(() => writes).toEqual([['A']]);
    await run();
    await close();
    await add('B');
    vi.advanceTimersByTime(5_000);
    await new Promise(setImmediate);
    expect(writes).toEqual([['A']]);
  });

  it('AUD-1: an output that takes nothing holds up no stop for longer than two seconds', async () => {
    const { note, open, writes, log, answersBy, outputClosed } = await writers();
    const { close } = await open();
    const held = Promise.withResolvers<void>();
    answersBy(() => held.promise);
    await note('A');
    await expect.poll(() => writes).toEqual([['A']]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    afterThisTest(() => void vi.useRealTimers());
    const closing = close();
    vi.advanceTimersByTime(1_999);
    await new Promise(setImmediate);
    expect(log).toEqual([]);
    vi.advanceTimersByTime(1);
    await closing;
    expect(log.map(({ level }) => level)).toEqual([40]);
    expect(outputClosed()).toBe(1);
    held.resolve();
  });

  it('AUD-1: a turn that cannot be released, or is gone, ends by itself; the stop goes on', async () => {
    const { open, log, database, outputClosed, fail } = await writers();
    await (await open()).close();
    await database.transaction((tx) => tx.deleteFrom('setting').where('name', '=', 'audit-log').execute());
    const { close } = await open();
    await database.transaction((tx) => tx.deleteFrom('setting').where('name', '=', 'audit-log').execute());
    await close();
    expect([log, outputClosed()]).toEqual([[], 2]);
    const last = await open();
    fail();
    await last.close();
    expect(log.map(({ level, msg }) => [level, msg.includes('could not be released')])).toEqual([[40, true]]);
    expect(outputClosed()).toBe(3);
  });
});
