import { existsSync, statSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { startProcess } from '../../testing/child-process.ts';
import { engines, freshDatabase, openDatabase, type Place } from '../../testing/fresh-database.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import type { Clock } from '../time/clock.ts';
import {
  continueAfter,
  sqliteFile,
  publishEverything,
  type Database,
  type PublishedChange,
  type Reader,
} from './database.ts';
import { isStorageFailure } from './storage-failure.ts';

const open = ({ location }: Place, clock?: Clock) => openDatabase(location, clock);

function publishedBy(database: Database): PublishedChange[] {
  const published: PublishedChange[] = [];
  database.onChange((changes) => published.push(...changes));
  return published;
}

/** A gate at which a transaction can be made to wait. */
function gate() {
  return Promise.withResolvers<void>();
}

async function settingsOf(database: Database): Promise<Record<string, string>> {
  const rows = await database.read.selectFrom('setting').selectAll().execute();
  return Object.fromEntries(rows.map((row) => [row.name, row.value]));
}

describe.each(engines)('the database on %s', (engine) => {
  it('RUN-1: lets everything else go on between two transactions', async () => {
    const database = await open(await freshDatabase(engine));
    let turns = 0;
    let watching = true;
    const watch = () => {
      turns += 1;
      if (watching) setImmediate(watch);
    };
    setImmediate(watch);
    for (let done = 0; done < 20; done += 1)
      await database.change(({ tx }) => tx.selectFrom('revision').selectAll().execute());
    watching = false;
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  it('RUN-1: lets no two changes that check before they write pass at once', async () => {
    const place = await freshDatabase(engine);
    // On PostgreSQL two replicas; SQLite has one server.
    const replicas = [await open(place), ...(engine === 'postgres' ? [await open(place)] : [])];
    await replicas[0]?.transaction((tx) =>
      tx.insertInto('setting').values({ name: 'count', value: '0' }).execute(),
    );
    const count = (database: Database) =>
      database.change(async ({ tx }) => {
        const { value } = await tx
          .selectFrom('setting')
          .select('value')
          .where('name', '=', 'count')
          .executeTakeFirstOrThrow();
        await tx
          .updateTable('setting')
          .set({ value: String(Number(value) + 1) })
          .where('name', '=', 'count')
          .execute();
      });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => count(replicas[index % replicas.length] as Database)),
    );
    expect(await settingsOf(replicas[0] as Database)).toEqual({ count: '50' });
  });

  it('RUN-1: numbers and dates fifty changes at once in the order in which they are committed and published', async () => {
    const place = await freshDatabase(engine);
    const clock = movableClock();
    const replicas = [await open(place, clock), ...(engine === 'postgres' ? [await open(place, clock)] : [])];
    const published = replicas.map(publishedBy);
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (replicas[index % replicas.length] as Database).change(async (change) => {
          // A clock that jumps about, as those of several machines do.
          clock.move(index % 2 === 0 ? 3_000 : -5_000);
          change.publish('person', String(index));
          return { revision: change.revision, at: change.at, key: String(index) };
        }),
      ),
    );
    const inOrder = made.toSorted((a, b) => a.revision - b.revision);
    expect(inOrder.map((change) => change.revision)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    for (const [index, change] of inOrder.entries())
      expect(change.at).toBeGreaterThan(inOrder[index - 1]?.at ?? 0);

    const expected = inOrder.map((change) => ({ topic: 'person', ...change }));
    for (const own of published)
      expect(own.map((change) => change.revision)).toEqual(
        own.map((change) => change.revision).toSorted((a, b) => a - b),
      );
    expect(published.flat().toSorted((a, b) => a.revision - b.revision)).toEqual(expected);
    const stored = await (replicas[0] as Database).read
      .selectFrom('changed')
      .selectAll()
      .orderBy('revision')
      .execute();
    expect(stored).toEqual(expected);
  });

  it('RUN-1: never repeats and never turns back the time of changes, whatever the clock does', async () => {
    const clock = movableClock();
    const database = await open(await freshDatabase(engine), clock);
    let last = 0;
    const anyTimes = fc.array(fc.integer({ min: 0, max: 2 ** 42 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(anyTimes, async (times) => {
        for (const time of times) {
          clock.move(time - clock.now());
          const at = await database.change((change) => Promise.resolve(change.at));
          expect(at).toBe(Math.max(last + 1, time));
          last = at;
        }
      }),
      { numRuns: 20 },
    );
  });

  it('RUN-4: goes on after the last change of the database in whose place it comes, and never before its own', async () => {
    const clock = movableClock(1_000_000);
    const database = await open(await freshDatabase(engine), clock);
    const change = () => database.change(({ revision, at }) => Promise.resolve({ revision, at }));
    const own = await change();
    expect(own.at).toBe(1_000_000);
    await continueAfter(database, { revision: own.revision + 500, at: 2_000_000 });
    expect(await change()).toEqual({ revision: own.revision + 501, at: 2_000_001 });
    await continueAfter(database, { revision: 1, at: 1 });
    expect(await change()).toEqual({ revision: own.revision + 502, at: 2_000_002 });
    clock.move(2_000_000);
    expect((await change()).at).toBe(3_000_000);
  });

  it('RUN-4: publishes everything of a restored database again', async () => {
    const database = await open(await freshDatabase(engine));
    await database.change((change) => {
      change.publish('person', 'ada');
      change.publish('rights', 'ada');
      return Promise.resolve();
    });
    const published = publishedBy(database);
    const revision = await database.change(async (change) => {
      await publishEverything(change);
      return change.revision;
    });
    expect(published.map(({ topic }) => topic)).toEqual(['flags', 'maintenance']);
    const rows = await database.read.selectFrom('changed').select(['topic', 'key', 'revision']).execute();
    expect(rows.map(({ topic, key }) => `${topic} ${key}`.trim()).toSorted()).toEqual([
      'flags',
      'maintenance',
      'person ada',
      'rights ada',
    ]);
    expect(new Set(rows.map((row) => row.revision))).toEqual(new Set([revision]));
  });

  it('RUN-1: stores and publishes nothing of a change that fails', async () => {
    const database = await open(await freshDatabase(engine));
    const published = publishedBy(database);
    const failed = database.change(async ({ tx, publish }) => {
      publish('flags');
      await tx.insertInto('setting').values({ name: 'half', value: 'done' }).execute();
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(published).toEqual([]);
    expect(await settingsOf(database)).toEqual({});
    expect(await database.read.selectFrom('changed').selectAll().execute()).toEqual([]);
    expect(await database.change(({ revision }) => Promise.resolve(revision))).toBe(1);
  });

  it('RUN-1: publishes each topic and key once a change, after its commit', async () => {
    const database = await open(await freshDatabase(engine));
    const seenThen: Promise<Record<string, string>>[] = [];
    const published = publishedBy(database);
    database.onChange(() => seenThen.push(settingsOf(database)));
    await database.change(async ({ tx, publish }) => {
      publish('rights', 'ada');
      publish('rights', 'ada');
      publish('flags');
      await tx.insertInto('setting').values({ name: 'whole', value: 'yes' }).execute();
      expect(published).toEqual([]);
    });
    expect(published.map(({ topic, key }) => ({ topic, key }))).toEqual([
      { topic: 'rights', key: 'ada' },
      { topic: 'flags', key: '' },
    ]);
    expect(await Promise.all(seenThen)).toEqual([{ whole: 'yes' }]);
  });

  it('RUN-1: refuses a transaction inside a transaction instead of waiting for itself', async () => {
    const database = await open(await freshDatabase(engine));
    const inside = /^A transaction inside a transaction/;
    await expect(database.transaction(() => database.transaction(() => Promise.resolve()))).rejects.toThrow(
      inside,
    );
    await expect(database.change(() => database.change(() => Promise.resolve()))).rejects.toThrow(inside);
    await expect(database.change(() => database.transaction(() => Promise.resolve()))).rejects.toThrow(
      inside,
    );
    // And goes on afterwards.
    expect(await database.change(({ revision }) => Promise.resolve(revision))).toBe(1);
  });

  it('RUN-1: lets what a transaction has started make its own transaction afterwards', async () => {
    const database = await open(await freshDatabase(engine));
    const over = gate();
    let later: Promise<number> | undefined;
    await database.transaction(() => {
      later = over.promise.then(() => database.change(({ revision }) => Promise.resolve(revision)));
      return Promise.resolve();
    });
    over.resolve();
    await expect(later).resolves.toBe(1);
  });

  it('RUN-1: reads on while a change is under way, and sees nothing of it', async () => {
    const database = await open(await freshDatabase(engine));
    const wrote = gate();
    const goOn = gate();
    const change = database.change(async ({ tx }) => {
      await tx.insertInto('setting').values({ name: 'slow', value: 'yes' }).execute();
      wrote.resolve();
      await goOn.promise;
    });
    await wrote.promise;
    expect(await settingsOf(database)).toEqual({});
    goOn.resolve();
    await change;
    expect(await settingsOf(database)).toEqual({ slow: 'yes' });
  });

  it('RUN-1: has connections for readers left while many changes wait for each other', async () => {
    const database = await open(await freshDatabase(engine));
    const goOn = gate();
    const changes = Array.from({ length: 40 }, () =>
      database.change(async ({ revision }) => {
        await goOn.promise;
        // Not by the transaction's handle: what is looked up on the way takes a connection of its own.
        await settingsOf(database);
        return revision;
      }),
    );
    expect(await settingsOf(database)).toEqual({});
    goOn.resolve();
    expect((await Promise.all(changes)).at(-1)).toBe(40);
  });

  it('RUN-5: has everything that it acknowledged, after being killed while it wrote', async () => {
    const place = await freshDatabase(engine);
    const acknowledged = new Set<string>();
    for (const enough of [1, 7, 23, 40]) {
      const writer = startProcess('testing/database-process.ts', [
        'write',
        JSON.stringify(place.location),
        '100000',
      ]);
      await expect.poll(() => writer.lines.length, { interval: 1 }).toBeGreaterThan(enough);
      await writer.kill();
      for (const line of writer.lines) if (line !== 'ready') acknowledged.add(`written-${line}`);

      const database = await open(place);
      // Inside a change, so that what PostgreSQL still had to finish for the killed process is finished.
      const { stored, published, last } = await database.change(async ({ tx, revision }) => ({
        stored: (await tx.selectFrom('setting').select('name').execute()).map(({ name }) => name),
        published: await tx
          .selectFrom('changed')
          .select('revision')
          .where('topic', '=', 'flags')
          .executeTakeFirst(),
        last: revision - 1,
      }));
      expect([...acknowledged].filter((name) => !stored.includes(name))).toEqual([]);
      // At most the one whose acknowledgement was cut off.
      expect(stored.length - acknowledged.size).toBeLessThanOrEqual(1);
      for (const name of stored) acknowledged.add(name);
      expect(Math.max(...stored.map((name) => Number(name.slice('written-'.length))))).toBe(last);
      expect(published?.revision).toBe(last);
      await database.close();
    }
  });

  it('RUN-1: waits for another process that is writing, while the rest goes on', async () => {
    const place = await freshDatabase(engine);
    const database = await open(place);
    const other = startProcess('testing/database-process.ts', ['hold-lock', JSON.stringify(place.location)]);
    await other.line('holding');
    let committed = false;
    const change = database
      .change(({ revision }) => Promise.resolve(revision))
      .then((revision) => {
        committed = true;
        return revision;
      });
    // Reading answers during the wait, which it could not if waiting blocked the loop.
    for (let round = 0; round < 20; round += 1) await settingsOf(database);
    expect(committed).toBe(false);
    other.writeLine('go on');
    await other.line('released');
    expect(await change).toBe(2);
  });
});

describe('the database on sqlite', () => {
  /** Replaces the call that has the disk keep what was written; on every open file. */
  async function replaceSync(sync: () => Promise<void>) {
    const file = await openFile(import.meta.filename);
    const replaced = vi
      .spyOn(Object.getPrototypeOf(file) as typeof file, 'datasync')
      .mockImplementation(sync);
    await file.close();
    return replaced;
  }

  /** Whether it is stored, or refused for the sake of the disk. */
  const write = (database: Database, value: string) =>
    database
      .transaction((tx) =>
        tx
          .insertInto('setting')
          .values({ name: value.slice(0, 5), value })
          .execute(),
      )
      .then(
        () => 'stored',
        (error: unknown) => isStorageFailure(error),
      );

  it('START-4: keeps one file in WAL mode, and a change ends once its log is on disk, off the event loop', async () => {
    const place = await freshDatabase('sqlite');
    const database = await open(place);
    const file = new DatabaseSync(sqliteFile(place.dataDir), { readOnly: true });
    expect(file.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    file.close();
    await database.transaction(async (tx) => {
      const { rows: keys } = await sql<{ foreign_keys: number }>`pragma foreign_keys`.execute(tx);
      expect(keys).toEqual([{ foreign_keys: 1 }]);
    });
    const [reached, onDisk] = [gate(), gate()];
    const replaced = await replaceSync(() => {
      reached.resolve();
      return onDisk.promise;
    });
    let ended = false;
    const change = database.change(async ({ revision }) => revision).finally(() => (ended = true));
    await reached.promise;
    for (let round = 0; round < 20; round += 1) await settingsOf(database);
    expect(ended).toBe(false);
    replaced.mockRestore();
    onDisk.resolve();
    expect(await change).toBe(1);
  });

  it('RUN-5: changes go on while the disk takes one; those that end meanwhile are on disk together', async () => {
    const database = await open(await freshDatabase('sqlite'));
    await database.change(async () => null);
    const syncs: ReturnType<typeof gate>[] = [];
    const replaced = await replaceSync(() => {
      syncs.push(gate());
      return syncs.at(-1)?.promise ?? Promise.reject(new Error('There is none.'));
    });
    const ended: number[] = [];
    const change = () => database.change(async ({ revision }) => revision).then((n) => ended.push(n));
    const first = change();
    await vi.waitFor(() => expect(syncs).toHaveLength(1));
    const others = [change(), change()];
    await vi.waitFor(async () =>
      expect(await database.read.selectFrom('revision').select('n').execute()).toEqual([{ n: 4 }]),
    );
    expect(ended).toEqual([]);
    syncs[0]?.resolve();
    await first;
    await vi.waitFor(() => expect(syncs).toHaveLength(2));
    expect(ended).toEqual([2]);
    syncs[1]?.resolve();
    await Promise.all(others);
    expect(ended).toEqual([2, 3, 4]);
    expect(syncs).toHaveLength(2);
    replaced.mockRestore();
  });

  it('RUN-5: writes behind a log that the disk refused only once it is in the file', async () => {
    const place = await freshDatabase('sqlite');
    const database = await open(place);
    const logSize = () => statSync(`${sqliteFile(place.dataDir)}-wal`).size;
    const replaced = await replaceSync(() =>
      Promise.reject(
        Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' }),
      ),
    );
    expect(await write(database, 'first'.padEnd(20_000))).toBe(true);
    replaced.mockRestore();
    const reader = new DatabaseSync(sqliteFile(place.dataDir), { readOnly: true });
    reader.exec('begin; select * from setting');
    const [before, whileRead] = [logSize(), await write(database, 'second')];
    reader.close();
    expect(whileRead).toBe(true);
    expect(await write(database, 'third')).toBe('stored');
    expect(logSize()).toBeLessThan(before);
    expect(Object.keys(await settingsOf(database))).toEqual(expect.arrayContaining(['first', 'third']));
  });

  it('RUN-5: does not acknowledge what was written while the disk refused what stands before it', async () => {
    const database = await open(await freshDatabase('sqlite'));
    await write(database, 'before');
    const [reached, refused] = [gate(), gate()];
    const replaced = await replaceSync(() => {
      replaced.mockResolvedValue();
      reached.resolve();
      return refused.promise.then(() => {
        throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' });
      });
    });
    const first = write(database, 'first');
    await reached.promise;
    const second = write(database, 'other');
    await vi.waitFor(async () => expect(await settingsOf(database)).toHaveProperty('other'));
    refused.resolve();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(await write(database, 'third')).toBe('stored');
    replaced.mockRestore();
  });

  it('RUN-5: has a thread fold a long log into the file, and begins the log again', async () => {
    const place = await freshDatabase('sqlite');
    const database = await open(place);
    const other = new DatabaseSync(sqliteFile(place.dataDir));
    const look = other.prepare('pragma wal_checkpoint(noop)');
    await write(database, 'large'.padEnd(20_000_000));
    await expect
      .poll(async () => {
        await database.change(async () => null);
        return look.get()?.['log'];
      })
      .toBeLessThan(1_000);
    other.close();
    await database.close();
    expect(existsSync(`${sqliteFile(place.dataDir)}-wal`)).toBe(false);
  });

  it('RUN-1: takes the write lock when a transaction begins, not at its first write', async () => {
    const place = await freshDatabase('sqlite');
    const database = await open(place);
    const goOn = gate();
    const begun = gate();
    const transaction = database.transaction(async () => {
      begun.resolve();
      await goOn.promise;
    });
    await begun.promise;
    const other = new DatabaseSync(sqliteFile(place.dataDir), { timeout: 0 });
    expect(() => other.exec('begin immediate')).toThrow('database is locked');
    goOn.resolve();
    await transaction;
    other.exec('begin immediate; rollback');
    other.close();
  });

  it('RUN-1: cannot write by the reading handle', async () => {
    const database = await open(await freshDatabase('sqlite'));
    const written = database.read.insertInto('setting').values({ name: 'sneaky', value: 'yes' }).execute();
    await expect(written).rejects.toThrow('readonly');
  });
});

describe('the database on postgres', () => {
  it('RUN-10: sets its timeouts on a connection of its own, and behind a pooler for each transaction', async () => {
    const { location } = await freshDatabase('postgres');
    if (location.engine !== 'postgres') throw new Error('not PostgreSQL');
    const timeouts = async (read: Reader) =>
      (
        await sql<object>`select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(read)
      ).rows[0];
    const [own, none] = [
      { statement: '30s', idle: '10s' },
      { statement: '0', idle: '0' },
    ];
    for (const [where, outside] of [
      [location, own],
      [{ ...location, directUrl: location.url }, none],
    ] as const) {
      const database = await openDatabase(where);
      expect(await database.transaction(timeouts)).toEqual(own);
      // The same connection as before.
      expect(await timeouts(database.read)).toEqual(outside);
    }
  });

  it('RUN-10: migrates at the direct address, and names the address at which none answers', async () => {
    const [pooled, direct] = [await freshDatabase('postgres'), await freshDatabase('postgres', 'nothing')];
    if (pooled.location.engine !== 'postgres' || direct.location.engine !== 'postgres')
      throw new Error('none');
    const nowhere = 'postgres://portico:hunter2@127.0.0.1:1/portico';
    const both = { ...pooled.location, directUrl: direct.location.url };
    await (await openDatabase(both)).close();
    const there = await openDatabase(direct.location);
    expect((await there.read.introspection.getTables()).length).toBeGreaterThan(50);
    for (const [name, where] of [
      ['DATABASE_DIRECT_URL', { ...both, directUrl: nowhere }],
      ['DATABASE_URL', { ...both, url: nowhere }],
    ] as const)
      await expect(openDatabase(where)).rejects.toThrow(`${name} holds "(a secret)"`);
  });

  it('RUN-2: reports that none answers, and why, without the address, which may hold a password', async () => {
    const closedServer = createServer();
    await new Promise<void>((done) => closedServer.listen(0, '127.0.0.1', done));
    const { port } = closedServer.address() as { port: number };
    await new Promise((done) => closedServer.close(done));
    const url = `postgres://ada:s3cret@127.0.0.1:${port}/portico`;
    const failure = await openDatabase({ engine: 'postgres', url }).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({
      message: `DATABASE_URL holds "(a secret)"; expected a PostgreSQL that answers (connect ECONNREFUSED 127.0.0.1:${port}).`,
    });
    expect(JSON.stringify(failure)).not.toContain('s3cret');
  });
});
