import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#server/platform/database/database.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { afterThisTest, freshDatabase, openDatabase } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { aTest } from '#server/testing/people.ts';
import { historyPage } from './history.store.ts';
import { isThere } from './hold-file.ts';
import { createLiveMaintenance, type Maintenance } from './live-maintenance.ts';
import { readMaintenance, writeMaintenance } from './maintenance.store.ts';
import { insertWebhook } from '#features/webhooks/server/webhooks.store.ts';
import { createOperations, type Operations } from './operations.ts';

const minute = 60_000;
const ada = { kind: 'command-line', id: null, name: 'Ada' } as const;

describe('maintenance in the memory of a process', () => {
  let database: Database;
  let dataDir: string;
  let clock: MovableClock;
  let operations: Operations;
  let log: { level: number; msg: string }[];
  /** Of the clock that no one sets. */
  let time: number;

  beforeEach(async () => {
    const place = await freshDatabase('sqlite');
    dataDir = place.dataDir;
    database = await openDatabase(place.location);
    clock = movableClock();
    log = [];
    await database.change((change) =>
      insertWebhook(
        change,
        { url: 'https://hooks.example', description: '', enabled: true },
        { secret: 's', author: aTest },
      ),
    );
    operations = createOperations(clock);
    time = 100_000;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => time);
    afterThisTest(() => now.mockRestore());
  });

  const file = () => join(dataDir, 'maintenance-off');
  const plan = (startsIn: number, lasts: number, endsByItself = true) =>
    database.change((change) =>
      operations.plan(change, ada, {
        title: 'Pumps',
        text: '',
        texts: {},
        severity: 'HIGH',
        mode: 'full',
        leadMinutes: 0,
        endsByItself,
        startsAt: clock.now() + startsIn,
        endsAt: clock.now() + startsIn + lasts,
      }),
    );
  const set = async (text: string, mode: 'off' | 'full' = 'off') => {
    const { version } = await readMaintenance(database.read);
    const draft = { mode, text, texts: {}, severity: 'HIGH', expectedEnd: null, version } as const;
    await database.change((change) => writeMaintenance(change, draft, aTest));
  };
  const levelsOf = (part: string) => log.filter(({ msg }) => msg.includes(part)).map(({ level }) => level);
  const deeds = async () =>
    (await historyPage(database.read, { windowId: undefined, after: null, limit: 100 }))
      .map(({ deed }) => deed)
      .toReversed();

  /** One whose looks and news the test decides on. */
  async function make(parts: { operations?: Partial<Operations>; of?: Database } = {}) {
    let check = (): void => undefined;
    let changed = (): void => undefined;
    const timer = vi.spyOn(globalThis, 'setInterval').mockImplementationOnce((given) => {
      check = given;
      return {} as NodeJS.Timeout;
    });
    afterThisTest(() => timer.mockRestore());
    const maintenance: Maintenance = await createLiveMaintenance({
      database: parts.of ?? database,
      feed: {
        on(_topic, listener) {
          changed = listener as () => void;
        },
        publishedAt: () => 0,
        close: () => Promise.resolve(),
      },
      clock,
      logger: createLogger('info', { write: (line) => log.push(JSON.parse(line) as (typeof log)[number]) }),
      followed: null,
      operations: { ...operations, ...parts.operations },
      dataDir,
      browsers: () => 3_000,
    });
    timer.mockRestore();
    afterThisTest(() => maintenance.close());
    const notified: string[] = [];
    maintenance.onChange(() => notified.push(`${maintenance.now().mode} ${maintenance.now().text}`.trim()));
    return { maintenance, notified, check: () => check(), changed: () => changed() };
  }

  it('MAINT-6: the break-glass file ends maintenance at once, is published, recorded and logged once, and so is its going', async () => {
    await set('Closed', 'full');
    const { maintenance, notified, check } = await make();
    expect([maintenance.gate().mode, maintenance.heldOpen()]).toEqual(['full', false]);
    const before = maintenance.now().changedAt;
    writeFileSync(file(), '');
    check();
    await expect.poll(() => maintenance.heldOpen()).toBe(true);
    expect(maintenance.gate()).toEqual({ mode: 'off', retryAfter: 0 });
    expect(notified[0]).toBe('off');
    expect(maintenance.now().changedAt).toBeGreaterThan(before);
    await expect.poll(deeds).toEqual(['held-open']);
    expect(levelsOf('a file keeps maintenance off')).toEqual([40]);

    // It is there all the time: nothing more is to be logged.
    for (let again = 0; again < 3; again += 1) {
      check();
      await maintenance.caughtUp();
    }
    const held = maintenance.now().changedAt;
    rmSync(file());
    await expect
      .poll(() => {
        check();
        return maintenance.heldOpen();
      })
      .toBe(false);
    expect(maintenance.now().changedAt).toBeGreaterThan(held);
    await expect.poll(deeds).toEqual(['held-open', 'let-go']);
    expect([...new Set(notified)]).toEqual(['off', 'full Closed']);
    expect(levelsOf('the file that kept maintenance off is gone')).toEqual([40]);
    const sent = await database.read
      .selectFrom('webhook_delivery')
      .select(['event', 'body'])
      .orderBy('created_at')
      .execute();
    const modeOf = (body: string) => (JSON.parse(body) as { data: { mode: string } }).data.mode;
    expect(sent.map(({ event, body }) => [event, modeOf(body)])).toEqual([
      ['maintenance.held-open', 'off'],
      ['maintenance.let-go', 'full'],
    ]);
  });

  it('MAINT-6: a file that lies there at the start is published then; one that has gone since as well, by this process alone', async () => {
    writeFileSync(file(), '');
    const first = await make();
    expect([first.maintenance.heldOpen(), await deeds()]).toEqual([true, ['held-open']]);
    expect(levelsOf('a file keeps maintenance off')).toEqual([40]);
    await first.maintenance.close();

    // What is written already is not written again.
    await (await make()).maintenance.close();
    expect(await deeds()).toEqual(['held-open']);

    rmSync(file());
    // On PostgreSQL it may be the file of another replica.
    await (await make({ of: { ...database, engine: 'postgres' } })).maintenance.close();
    expect(await deeds()).toEqual(['held-open']);
    await (await make()).maintenance.close();
    expect(await deeds()).toEqual(['held-open', 'let-go']);
    await database.change((change) => operations.noteHeldOpen(change, false, null));
    expect(await deeds()).toEqual(['held-open', 'let-go']);
  });

  it('MAINT-6: where it cannot be read whether the file is there, it stays as it was', async () => {
    expect(await isThere(file(), true)).toBe(false);
    writeFileSync(file(), '');
    expect(await isThere(file(), false)).toBe(true);
    // Below a file there is nothing; a name that is too long is an error.
    expect(await isThere(join(file(), 'below'), true)).toBe(false);
    for (const otherwise of [true, false])
      expect(await isThere(join(dataDir, 'x'.repeat(300)), otherwise)).toBe(otherwise);
  });

  it('MAINT-5: what time brought before the start is recorded by it, and listeners are notified once of each boundary', async () => {
    await plan(minute, minute);
    clock.move(minute);
    const { maintenance, notified, check } = await make();
    expect([await deeds(), maintenance.now().mode]).toEqual([['planned', 'phase'], 'full']);
    check();
    check();
    await maintenance.caughtUp();
    expect([notified, await deeds()]).toEqual([[], ['planned', 'phase']]);
    clock.move(minute);
    check();
    await expect.poll(() => notified).toEqual(['off']);
    check();
    expect([notified, await deeds()]).toEqual([['off'], ['planned', 'phase', 'phase']]);
  });

  it('MAINT-5: a boundary that cannot be recorded is in force and published all the same, logged once, and retried', async () => {
    await plan(minute, minute);
    let tries = 0;
    let fails = true;
    const { maintenance, notified, check } = await make({
      operations: {
        recordPhases: (change, options) => {
          tries += 1;
          if (fails) throw new Error('the disk is full');
          return operations.recordPhases(change, options);
        },
      },
    });
    clock.move(minute);
    check();
    await expect.poll(() => notified).toEqual(['full Pumps']);
    expect([tries, levelsOf('cannot be recorded')]).toEqual([1, [50]]);
    // Not before a second has passed.
    time += 999;
    check();
    await maintenance.caughtUp();
    expect(tries).toBe(1);
    time += 1;
    check();
    await expect.poll(() => tries).toBe(2);
    await expect.poll(() => notified).toEqual(['full Pumps']);
    expect(levelsOf('cannot be recorded')).toEqual([50]);
    fails = false;
    time += 2_000;
    await expect
      .poll(async () => {
        check();
        return deeds();
      })
      .toEqual(['planned', 'phase']);
    await expect.poll(() => levelsOf('are recorded again')).toEqual([30]);
    expect(notified).toEqual(['full Pumps']);
  });

  it('MAINT-5: listeners wait half a second for a record that takes long, and are then notified without it', async () => {
    await plan(minute, minute);
    const slow = Promise.withResolvers<void>();
    const { notified, check } = await make({ operations: { recordPhases: () => slow.promise } });
    clock.move(minute);
    check();
    check();
    expect(notified).toEqual([]);
    time += 500;
    check();
    expect(notified).toEqual([]);
    time += 1;
    check();
    expect(notified).toEqual(['full Pumps']);
    check();
    expect(notified).toEqual(['full Pumps']);
    slow.resolve();
  });

  it('MAINT-1: listeners are notified of each difference, once, and of nothing after the end', async () => {
    const { maintenance, notified, changed, check } = await make();
    await set('First');
    changed();
    changed();
    await maintenance.caughtUp();
    expect(notified).toEqual(['off First']);
    changed();
    await maintenance.caughtUp();
    expect(notified).toEqual(['off First']);
    await maintenance.close();
    await set('Second');
    changed();
    check();
    await maintenance.caughtUp();
    expect([notified, maintenance.now().text]).toEqual([['off First'], 'First']);
    // A read goes to the memory.
    expect((await maintenance.read()).text).toBe('Second');
  });

  it('MAINT-3: gives the time over which so many browsers return', async () => {
    const { maintenance } = await make();
    expect(maintenance.now()).toMatchObject({ returnWithin: 6_000, retryAfter: 60 });
    expect(maintenance.source).toBe('portico');
  });
});
