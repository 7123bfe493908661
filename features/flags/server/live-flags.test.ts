import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';
import { openChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Database } from '#server/platform/database/database.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import {
  afterThisTest,
  freshDatabase,
  openDatabase,
  oneEngine,
  type Engine,
} from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { aTest } from '#server/testing/people.ts';
import { addFlag, editFlag, lastChange } from './flags.store.ts';
import { createLiveFlags } from './live-flags.ts';
import type { MaintenanceProjection } from './payload.ts';

type Source = 'portico' | 'flag-host';

/**
 * Live flags on a real database. `afterRead` runs after each read, so that a test can change something in between.
 */
async function live(engine: Engine, source: Source = 'portico') {
  const place = await freshDatabase(engine);
  const logger = createLogger('silent');
  const clock = movableClock();
  const database = await openDatabase(place.location, clock);
  const feed = await openChangeFeed(database, logger);
  const edges = { afterRead: () => Promise.resolve() };
  const watched: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await edges.afterRead();
      return result;
    },
  };
  const maintenance: MaintenanceProjection = { mode: 'off', text: '', severity: 'HIGH' };
  const listeners: (() => void)[] = [];
  const flags = await createLiveFlags({
    database: { ...database, read: database.read.withPlugin(watched) },
    feed,
    clock,
    logger,
    maintenance: {
      now: () => ({ ...maintenance, texts: {}, expectedEnd: null, upcoming: null }),
      read: () => Promise.resolve({ ...maintenance, changedAt: 0 }),
      onChange: (listener) => listeners.push(listener),
      source,
    },
  });
  afterThisTest(async () => {
    flags.close();
    await feed.close();
    await database.close();
  });
  return {
    clock,
    database,
    flags,
    edges,
    setMaintenance(change: Partial<MaintenanceProjection>) {
      Object.assign(maintenance, change);
      for (const listener of listeners) listener();
    },
  };
}

function add(database: Database, key: string, rules: FlagRule[] = []): Promise<Flag> {
  const draft = { type: 'boolean' as const, description: '', defaultValue: true, rules, tags: [] };
  return database.change((change) => addFlag(change, { ...draft, key, enabled: true }, aTest));
}

it('FLAG-1: operators receive each change of the list, clients only what they can see', async () => {
  const { database } = await live('sqlite');
  const changedAt = async () => {
    const rows = await database.read.selectFrom('changed').select(['topic', 'key', 'at']).execute();
    const at = (topic: string, key: string) => rows.find((row) => row.topic === topic && row.key === key)?.at;
    return { clients: at('flags', ''), operators: at('list', 'flags right FLAGS_READ') };
  };
  const flag = await add(database, 'FIRST');
  expect(await changedAt()).toEqual({ clients: flag.changedAt, operators: flag.changedAt });
  const draft = { ...flag, description: 'The first one' };
  const { after } = await database.change((change) => editFlag(change, flag.key, draft, aTest));
  expect(await changedAt()).toEqual({ clients: flag.changedAt, operators: after.changedAt });
});

describe.each(oneEngine)('live flags on %s', (engine) => {
  it('FLAG-1: a version is the content of its own time, also when more is written while it is read', async () => {
    const { database, flags, edges } = await live(engine);
    let second: Promise<Flag> | undefined;
    edges.afterRead = async () => {
      second ??= add(database, 'SECOND');
      await second;
    };
    await add(database, 'FIRST');
    await flags.caughtUp();
    await expect.poll(() => flags.current().features.includes('SECOND')).toBe(true);
    await flags.caughtUp();
    expect(flags.current().at).toBe((await second)?.changedAt);
    expect(flags.current().at).toBe(await lastChange(database.read));
  });

  it('FLAG-1: what was served goes on while the database cannot be read, and is caught up by itself', async () => {
    const { database, flags, edges } = await live(engine);
    const before = flags.current();
    edges.afterRead = () => Promise.reject(new Error('the database is away'));
    const added = await add(database, 'LATER');
    await flags.caughtUp();
    expect(flags.current()).toBe(before);
    edges.afterRead = () => Promise.resolve();
    await expect.poll(() => flags.current().features.includes('LATER')).toBe(true);
    expect(flags.current().at).toBe(added.changedAt);
  });

  it('MAINT-6: maintenance is served while the database is silent, and flags and maintenance together once it answers', async () => {
    const { database, flags, edges, setMaintenance } = await live(engine);
    await add(database, 'KNOWN');
    await flags.caughtUp();
    const before = flags.current();
    const silence = Promise.withResolvers<void>();
    edges.afterRead = () => silence.promise;
    const added = add(database, 'LATER');
    setMaintenance({ mode: 'full', text: 'Down' });
    await expect.poll(() => flags.current() !== before).toBe(true);
    const closed = flags.current();
    expect(JSON.parse(closed.features)).toEqual({
      KNOWN: { defaultValue: true },
      MAINTENANCE: { defaultValue: true },
      MAINTENANCE_TEXT: { defaultValue: 'HIGH:Down' },
    });
    expect(closed.at).toBeGreaterThan(before.at);
    await added;
    silence.resolve();
    await expect.poll(() => flags.current().features.includes('LATER')).toBe(true);
    expect(flags.current().features).toContain('HIGH:Down');
    expect(flags.current().at).toBeGreaterThan(closed.at);
  });

  it('FLAG-15: a rule begins at its time while the database is silent', async () => {
    const { clock, database, flags, edges } = await live(engine);
    const from = clock.now() + 3_600_000;
    await add(database, 'LATER', [{ force: false, schedule: { from, zone: 'UTC' } }]);
    await flags.caughtUp();
    expect(flags.current().features).not.toContain('force');
    const silence = Promise.withResolvers<void>();
    edges.afterRead = () => silence.promise;
    clock.move(3_600_001);
    await expect
      .poll(() => flags.current().features)
      .toContain('"LATER":{"defaultValue":true,"rules":[{"force":false}]}');
    expect(flags.current().at).toBe(from);
    silence.resolve();
    await flags.caughtUp();
    expect(flags.current().at).toBe(from);
  });

  it('FLAG-1: changes that come together are prepared together', async () => {
    const { database, flags, edges } = await live(engine);
    let reads = 0;
    const together = Promise.withResolvers<void>();
    edges.afterRead = () => {
      reads += 1;
      return together.promise;
    };
    await Promise.all(Array.from({ length: 30 }, (_, index) => add(database, `FLAG_${index}`)));
    together.resolve();
    await flags.caughtUp();
    expect(Object.keys(JSON.parse(flags.current().features) as object)).toHaveLength(32);
    // Flags, keys and segments, five times at most.
    expect(reads).toBeLessThanOrEqual(15);
  });

  it('MAINT-1: with another flag host each change of maintenance is a version', async () => {
    const { clock, database, flags, setMaintenance } = await live(engine, 'flag-host');
    clock.move(60_000);
    const versions = [flags.current().at];
    for (const text of ['one', 'two', '', 'one']) {
      setMaintenance({ text });
      await flags.caughtUp();
      expect(flags.current().features).toContain(
        text === '' ? '"MAINTENANCE_TEXT":{"defaultValue":""}' : `HIGH:${text}`,
      );
      versions.push(flags.current().at);
      // A process that started later must not give this version to other flags.
      expect(versions.at(-1)).toBeGreaterThanOrEqual(clock.now());
      await add(database, `AFTER_${versions.length}`);
      await flags.caughtUp();
      expect(flags.current().features).toContain(`AFTER_${versions.length}`);
      versions.push(flags.current().at);
    }
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
  });
});
