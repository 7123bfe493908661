import { Readable } from 'node:stream';
import type { Clock } from '../time/clock.ts';
import type { Database, Reader, Writer } from '../database/database.ts';
import type { LocalContents, Received, StoredContent } from './contents.ts';

const chunkBytes = 256 * 1024;
const batch = 100;

/**
 * Contents as rows of `file_chunk`, for any number of replicas. The first chunk of a content stands for all
 * of it: a transaction that adds, renews or removes one locks that row first.
 *
 * A sweep must not take a content that is being written again, by whatever replica. A write renews the time
 * of the first chunk, a sweep deletes that row where its time is old and no file names it. PostgreSQL lets
 * one of the two wait for the other and then look again (READ COMMITTED): the sweep finds the time renewed
 * and leaves it, or the write finds the row gone and adds all of them. The row that names a content is added
 * after `write` has answered, within the hour that the renewed time gives it; clocks of replicas may differ
 * by minutes.
 */
export function contentsInRows({ database, clock }: { database: Database; clock: Clock }): LocalContents {
  return {
    settle: async (_handle, meanwhile) => meanwhile?.(),
    async keep(received) {
      await database.transaction((tx) => keep(tx, received, clock.now()));
      return false;
    },

    async read(content) {
      const first = await chunkAt(database.read, content.hash, 0);
      return first && Readable.from(chunks(database.read, content, first), { objectMode: false });
    },

    async remove(tx, hash) {
      await tx.deleteFrom('file_chunk').where('hash', '=', hash).execute();
    },

    async sweep(before) {
      let removed = batch;
      while (removed >= batch) {
        const hashes = await unnamedBefore(database.read, before);
        for (const hash of hashes) await database.transaction((tx) => removeUnnamed(tx, hash, before));
        removed = hashes.length;
      }
      // They are in the same database as the rows that name them: neither is older than the other.
      return { held: 0, contents: 0 };
    },
    count: () => Promise.resolve({ held: 0, contents: 0 }),
    close: () => Promise.resolve(),
  };
}

async function keep(tx: Writer, { hash, size, handle }: Received, now: number): Promise<void> {
  if (await renew(tx, hash, now)) return;
  const buffer = Buffer.alloc(Math.min(size, chunkBytes));
  for (let position = 0; position === 0 || position * chunkBytes < size; position += 1) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position * chunkBytes);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('file_chunk')
      .values({ hash, position, bytes: buffer.subarray(0, bytesRead), stored_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    // Another transaction has just added the same content, and is over: this insert waited for it.
    if (position === 0 && Number(numInsertedOrUpdatedRows) === 0) return;
  }
}

async function renew(tx: Writer, hash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('file_chunk')
    .set({ stored_at: now })
    .where('hash', '=', hash)
    .where('position', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}

async function* chunks(
  read: Reader,
  { hash, size }: StoredContent,
  first: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for (let position = 0; sent < size; position += 1) {
    const bytes = position === 0 ? first : await chunkAt(read, hash, position);
    if (bytes === null) break;
    sent += bytes.byteLength;
    yield bytes;
  }
  if (sent !== size) throw new Error(`The content ${hash} has ${sent} bytes, not ${size}.`);
}

async function chunkAt(read: Reader, hash: string, position: number): Promise<Uint8Array | null> {
  const row = await read
    .selectFrom('file_chunk')
    .select('bytes')
    .where('hash', '=', hash)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

async function unnamedBefore(read: Reader, before: number): Promise<string[]> {
  const rows = await read
    .selectFrom('file_chunk')
    .select('hash')
    .where('position', '=', 0)
    .where('stored_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('file').select('id').whereRef('file.hash', '=', 'file_chunk.hash'))),
    )
    .limit(batch)
    .execute();
  return rows.map(({ hash }) => hash);
}

async function removeUnnamed(tx: Writer, hash: string, before: number): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('file_chunk')
    .where('hash', '=', hash)
    .where('position', '=', 0)
    .where('stored_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('file').select('id').whereRef('file.hash', '=', 'file_chunk.hash'))),
    )
    .executeTakeFirstOrThrow();
  if (Number(numDeletedRows) > 0) await tx.deleteFrom('file_chunk').where('hash', '=', hash).execute();
}
