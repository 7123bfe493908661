import type { Readable } from 'node:stream';
import { sql, type Expression } from 'kysely';
import type { Database, Reader, Writer } from '../database/database.ts';
import { writeSetting, isNoted } from '../database/setting.ts';
import { isStorageFailure } from '../database/storage-failure.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { ObjectStoreError, orNull } from '../object-store/object-store-error.ts';
import type { ObjectStore, StoredObject } from '../object-store/object-store.ts';
import type { Clock } from '../time/clock.ts';
import {
  type Contents,
  type LocalContents,
  readAgreement,
  type Received,
  type StoredContent,
} from './contents.ts';
import { unnamed } from './contents-in-folder.ts';
import { countRows } from '../database/sql.ts';

/** Where new contents go: `local` while and after they are moved out of the object store. */
export const placeSetting = 'files-place';
/** After this time a request to remove an object has ended, whatever became of its answer. */
const removalMs = 120_000;
const batch = 500;
const begin = 'files/';

/** What a move or a sender has done; `faults` are contents that could not be moved, in lines. */
export type Moved = { moved: number; bytes: number; faults: string[] };

/** Called after each content; false ends the work. */
type Progress = (moved: Moved) => boolean;

type Write = (source: Readable, most: number) => Promise<StoredContent>;
type State = 'stored' | 'waiting' | 'removing';

export type ContentsInObjects = Contents & {
  /** Resolves where the store answers. Throws ObjectStoreError. */
  probe(): Promise<void>;
  /** Sends what waits. Throws ObjectStoreError where the store is away; what was sent before that stays sent. */
  send(progress: Progress): Promise<Moved>;
  /** Lets new contents go to the store, and sends all that files name. */
  moveThere(progress: Progress): Promise<Moved>;
  /** Lets new contents stay here, and copies all of the store; `write` stores one here. */
  moveBack(write: Write, progress: Progress): Promise<Moved>;
};

type Options = {
  database: Database;
  clock: Clock;
  store: ObjectStore;
  /** Where waiting contents are, and contents that were not moved yet. */
  local: LocalContents;
  /** Whether a backup needs the contents as they are. */
  isPaused(): boolean;
};

/** The name of the object that is a content. */
export const nameOf = (hash: string) => begin + hash;

/**
 * Contents in an object store, for any number of replicas; a content that is not there is read where the engine
 * alone would store it. A row of `object_content` is written before the object, so no object is unknown to the
 * database.
 *
 * A store cannot remove an object on condition, and a sweep must not take a content that is being written again. So
 * a sweep first claims an old row that no file names: `removing`. A write renews the time of a row. Where it finds
 * a claim, its content waits here until the removal is over; a content that is named but not moved yet waits too.
 *
 * A waiting content is sent, read again and compared by its hash before it is removed here. After a kill between
 * any two of these steps it is sent again.
 */
export function contentsInObjects({ database, clock, store, local, isPaused }: Options): ContentsInObjects {
  const { read } = database;
  let heldObjects = 0;
  let listedAt = -1;

  const contents: ContentsInObjects = {
    settle: local.settle,

    async keep(received, later) {
      if (await isNoted(read, placeSetting)) return local.keep(received, later);
      if (later || !(await register(received))) return keepWaiting(received);
      const { hash, handle } = received;
      const sent = await store.put(nameOf(hash), handle.createReadStream({ start: 0, autoClose: false }));
      if (sent.sha256 !== hash) throw new Error(`The content ${hash} changed while it was sent.`);
      return false;
    },

    async read(content) {
      // It may be moved in between, in either direction.
      return (await local.read(content)) ?? (await fetch(content)) ?? local.read(content);
    },

    async sweep(before) {
      const swept = await local.sweep(before);
      for (let found = batch; found === batch;) {
        const rows = await read
          .selectFrom('object_content')
          .select('hash')
          .where('at', '<', before)
          .where(isUnnamed)
          .limit(batch)
          .execute();
        for (const { hash } of rows) {
          if (isPaused()) return withObjects(swept, heldObjects);
          if (await claim(hash, before)) await remove(hash);
        }
        found = rows.length;
      }
      // The store is listed at the start of a process, and after an operator has confirmed what was held.
      const { confirmed } = await readAgreement(read);
      if (confirmed !== listedAt) {
        heldObjects = await sweepStrays(before, confirmed);
        listedAt = confirmed;
      }
      return withObjects(swept, heldObjects);
    },

    async count() {
      let held = 0;
      for await (const _stray of strays()) held += 1;
      return withObjects(await local.count(), held);
    },

    close: local.close,

    async probe() {
      await store.head(nameOf('probe'));
    },

    async send(progress) {
      const done: Moved = { moved: 0, bytes: 0, faults: [] };
      if (await isNoted(read, placeSetting)) return done;
      for await (const content of rowsOf('waiting')) {
        if (content.at > clock.now()) continue;
        const fault = await sendOne(content);
        if (!noteOne(done, content, fault, progress)) break;
      }
      return done;
    },

    async moveThere(progress) {
      await database.transaction(async (tx) => {
        await tx.deleteFrom('setting').where('name', '=', placeSetting).execute();
        await letNamedWait(tx, clock.now());
      });
      return contents.send(progress);
    },

    async moveBack(write, progress) {
      await database.transaction((tx) => writeSetting(tx, placeSetting, 'local'));
      const done: Moved = { moved: 0, bytes: 0, faults: [] };
      for await (const { hash } of rowsOf('removing')) await remove(hash);
      for await (const content of rowsOf('waiting', 'stored')) {
        const fault = await fetchBack(content, write);
        if (!noteOne(done, content, fault, progress)) break;
      }
      return done;
    },
  };
  return contents;

  /** Adds or renews the row of a content; returns false where the content has to wait instead. */
  function register({ hash, size }: StoredContent): Promise<boolean> {
    return database.transaction(async (tx) => {
      const known = await tx
        .selectFrom('object_content')
        .select('hash')
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (known === undefined && (await unnamed(tx, [hash])).length === 0) return false;
      const row = await tx
        .insertInto('object_content')
        .values({ hash, size, state: 'stored', at: clock.now() })
        .onConflict((conflict) =>
          conflict
            .column('hash')
            .doUpdateSet({ at: clock.now() })
            .where('object_content.state', '=', 'stored'),
        )
        .returning('hash')
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  async function keepWaiting(received: Received): Promise<boolean> {
    const { hash, size } = received;
    const stays = await local.keep(received, true);
    const now = clock.now();
    const at = sql<number>`case when object_content.state = 'removing' then ${sql.lit(now + removalMs)} else ${sql.lit(now)} end`;
    await database.transaction((tx) =>
      tx
        .insertInto('object_content')
        .values({ hash, size, state: 'waiting', at: now })
        .onConflict((conflict) => conflict.column('hash').doUpdateSet({ state: 'waiting', at }))
        .execute(),
    );
    return stays;
  }

  async function fetch({ hash }: StoredContent): Promise<Readable | null> {
    return orNull(store.get(nameOf(hash), { sha256: hash }));
  }

  async function* rowsOf(...states: State[]): AsyncGenerator<StoredContent & { at: number }> {
    for (let after = ''; ;) {
      const rows = await read
        .selectFrom('object_content')
        .select(['hash', 'size', 'at'])
        .where('state', 'in', states)
        .where('hash', '>', after)
        .orderBy('hash')
        .limit(batch)
        .execute();
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.hash;
    }
  }

  /** Returns what is wrong with the content here, or null. A wrong content stays here and is not sent again. */
  async function sendOne(content: StoredContent): Promise<string | null> {
    try {
      return await trySend(content);
    } catch (error) {
      if (error instanceof ObjectStoreError || isStorageFailure(error)) throw error;
      await forget(content.hash, 'waiting');
      return (error as Error).message;
    }
  }

  async function trySend({ hash, size }: StoredContent): Promise<null> {
    const source = await local.read({ hash, size });
    if (source === null) {
      // Another process has sent the content, or it was lost before.
      if ((await store.head(nameOf(hash)))?.size === size) return settled(hash);
      throw new Error(`The content ${hash} is gone.`);
    }
    const sent = await store.put(nameOf(hash), source);
    if (sent.sha256 !== hash) {
      await store.delete(nameOf(hash));
      throw new Error(`The content ${hash} has other bytes than were written.`);
    }
    for await (const _bytes of await store.get(nameOf(hash), { sha256: hash })) continue;
    return settled(hash);
  }

  /** Marks it as stored in the transaction that removes it here, so that a move back finds it there or here. */
  async function settled(hash: string): Promise<null> {
    const isMine = await database.transaction(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('object_content')
        .set({ state: 'stored', at: clock.now() })
        .where('hash', '=', hash)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      if (Number(numUpdatedRows) > 0) await local.remove(tx, hash);
      return Number(numUpdatedRows) > 0;
    });
    if (!isMine) await removeUnknown(hash);
    return null;
  }

  async function fetchBack(content: StoredContent, write: Write): Promise<string | null> {
    const { hash, size } = content;
    const release = (tx: Writer, state: State) =>
      tx.updateTable('object_content').set({ state }).where('hash', '=', hash).execute();
    for (;;) {
      if (!(await isHere(content))) {
        try {
          const source = await fetch(content);
          // A missing content that no row names is from an upload that failed or is under way.
          if (source === null)
            return (await unnamed(read, [hash])).length > 0 ? null : `The content ${hash} is gone.`;
          await write(source, size);
        } catch (error) {
          const isOther = error instanceof HttpProblem || (error as { code?: string }).code === 'CHANGED';
          if (!isOther) throw error;
          return `The content ${hash} has other bytes in the store than were written.`;
        }
      }
      const isRemovable = await database.transaction(async (tx) => {
        await release(tx, 'removing');
        // A server that had begun to send it may have removed it here.
        const stays = await isHere(content);
        if (!stays) await release(tx, 'stored');
        return stays;
      });
      if (isRemovable) break;
    }
    await remove(hash);
    return null;
  }

  async function isHere(content: StoredContent): Promise<boolean> {
    const bytes = await local.read(content);
    bytes?.destroy();
    return bytes !== null;
  }

  /** Claims an old row that no file refers to, so that no later write uses it. */
  async function claim(hash: string, before: number): Promise<boolean> {
    const { numUpdatedRows } = await database.transaction((tx) =>
      tx
        .updateTable('object_content')
        .set({ state: 'removing' })
        .where('hash', '=', hash)
        .where('at', '<', before)
        .where(isUnnamed)
        .executeTakeFirstOrThrow(),
    );
    return Number(numUpdatedRows) > 0;
  }

  async function remove(hash: string): Promise<void> {
    await store.delete(nameOf(hash));
    await forget(hash, 'removing');
  }

  async function forget(hash: string, state: 'waiting' | 'removing'): Promise<void> {
    await database.transaction((tx) =>
      tx.deleteFrom('object_content').where('hash', '=', hash).where('state', '=', state).execute(),
    );
  }

  /** Removes an object that has no row, unless a write registers it first. */
  async function removeUnknown(hash: string): Promise<void> {
    const claimed = await database.transaction((tx) =>
      tx
        .insertInto('object_content')
        .values({ hash, size: 0, state: 'removing', at: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .returning('hash')
        .executeTakeFirst(),
    );
    if (claimed !== undefined) await remove(hash);
  }

  /** Objects that the database does not know, as after it was put back to an older state. */
  async function* strays(): AsyncGenerator<StoredObject & { hash: string }> {
    const page: (StoredObject & { hash: string })[] = [];
    async function unknown(): Promise<typeof page> {
      const hashes = page.map(({ hash }) => hash);
      const rows = await read
        .selectFrom('object_content')
        .select('hash')
        .where('hash', 'in', hashes)
        .execute();
      const known = new Set(rows.map(({ hash }) => hash));
      const loose = new Set(await unnamed(read, hashes));
      return page.splice(0).filter(({ hash }) => !known.has(hash) && loose.has(hash));
    }
    for await (const object of store.list(begin)) {
      const hash = object.name.slice(begin.length);
      if (/^[0-9a-f]{64}$/.test(hash)) page.push({ ...object, hash });
      if (page.length === batch) yield* await unknown();
    }
    if (page.length > 0) yield* await unknown();
  }

  async function sweepStrays(before: number, confirmed: number): Promise<number> {
    let held = 0;
    for await (const { hash, modifiedAt } of strays()) {
      const writtenAt = modifiedAt.getTime();
      if (writtenAt <= confirmed && writtenAt < before) await removeUnknown(hash);
      else held += 1;
    }
    return held;
  }

  async function withObjects(
    here: { held: number; contents: number },
    held: number,
  ): Promise<{ held: number; contents: number }> {
    const stored = await countRows(read.selectFrom('object_content').where('state', '=', 'stored'));
    return { held: here.held + held, contents: here.contents + stored };
  }
}

function noteOne(done: Moved, { size }: StoredContent, fault: string | null, progress: Progress): boolean {
  if (fault === null) {
    done.moved += 1;
    done.bytes += size;
  } else done.faults.push(fault);
  return progress(done);
}

/** No file names the content of a row. */
const isUnnamed = (): Expression<boolean> =>
  sql<boolean>`not exists (select 1 from file where file.hash = object_content.hash)`;

/** How much waits to be sent to the object store, and since when the oldest does. */
export async function waitingContents(read: Reader): Promise<{ count: number; since: number | null }> {
  const { count, since } = await read
    .selectFrom('object_content')
    .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.min('at').as('since')])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  const waits = Number(count) > 0;
  return { count: Number(count), since: waits ? since : null };
}

/** Marks what files name and the store does not have yet. */
async function letNamedWait(tx: Writer, now: number): Promise<void> {
  await sql`insert into object_content (hash, size, state, at)
    select hash, max(size), 'waiting', ${sql.lit(now)} from file
    where hash not in (select hash from object_content) group by hash`.execute(tx);
}

/** Prepares a restored database, whose contents are all here: they wait for the store where there is one. */
export async function resetObjectContents(tx: Writer, waitsSince: number | null): Promise<void> {
  await tx.deleteFrom('object_content').execute();
  await tx.deleteFrom('setting').where('name', '=', placeSetting).execute();
  if (waitsSince !== null) await letNamedWait(tx, waitsSince);
}
