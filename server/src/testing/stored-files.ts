import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { addFile } from '#features/files/server/files.store.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createFileStore } from '../platform/files/file-store.ts';
import type { ObjectStoreOptions } from '../platform/object-store/object-store.ts';
import { type Place, openDatabase } from './fresh-database.ts';

/** A file as a test has stored it. */
export type Stored = { id: string; hash: string; bytes: Buffer };

/** Stores so many files that are alike nowhere, as uploads do, and notes the word as a setting. */
export async function storeFiles(
  place: Pick<Place, 'location' | 'dataDir'>,
  { word, count, clock = systemClock }: { word: string; count: number; clock?: Clock },
): Promise<Stored[]> {
  const database = await openDatabase(place.location, clock);
  const store = createFileStore({ database, dataDir: place.dataDir, clock });
  const stored: Stored[] = [];
  for (let n = 0; n < count; n += 1) {
    const bytes = randomBytes(1_000);
    const content = await store.write(bytes, bytes.length);
    const id = await database.change(({ tx, at }) =>
      addFile(tx, {
        ...content,
        owner: null,
        filename: 'a',
        contentType: 'text/plain',
        width: null,
        height: null,
        at,
      }),
    );
    stored.push({ id, hash: content.hash, bytes });
  }
  await database.transaction(async (tx) => {
    await tx.deleteFrom('setting').where('name', '=', 'word').execute();
    await tx.insertInto('setting').values({ name: 'word', value: word }).execute();
  });
  await database.close();
  return stored;
}

/** The word that was noted last, or null. */
export async function wordIn({ read }: Database): Promise<string | null> {
  const row = await read.selectFrom('setting').select('value').where('name', '=', 'word').executeTakeFirst();
  return row?.value ?? null;
}

/** What the file store answers of these files, by id: their bytes, or why there are none. */
export async function readFiles(
  database: Database,
  dataDir: string,
  files: readonly Stored[],
  objectStore: ObjectStoreOptions | null = null,
): Promise<Map<string, Buffer | string>> {
  const store = createFileStore({ database, dataDir, clock: systemClock, objectStore });
  const found = new Map<string, Buffer | string>();
  for (const { id, hash, bytes } of files) {
    const answer = await store.read({ hash, size: bytes.length }).then(
      (stream) => buffer(stream),
      (error: Error) => error.message,
    );
    found.set(id, answer);
  }
  return found;
}

/** What of the stored files this process holds open. */
export function openHandles({ place }: { place: Pick<Place, 'dataDir'> }): string[] {
  return readdirSync('/proc/self/fd')
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        // Closed by now, such as the one of the listing itself.
        return [];
      }
    })
    .filter((path) => path.startsWith(join(place.dataDir, 'files')));
}
