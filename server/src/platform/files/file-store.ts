import { createHash, type Hash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';
import type { Contents, Received, StoredContent, Swept } from './contents.ts';
import { contentsInFolder, sweepsArePaused } from './contents-in-folder.ts';
import { contentsInObjects, type ContentsInObjects, type Moved } from './contents-in-objects.ts';
import { contentsInRows } from './contents-in-rows.ts';
import type { Database } from '../database/database.ts';
import { createFolders, namesIn, statOf } from './folders.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { newId } from '../keys/ids.ts';
import { createObjectStore, type ObjectStoreOptions } from '../object-store/object-store.ts';

type Source = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * The bytes of files, by their hash: the same bytes are stored once (START-4). Nothing here knows whose they
 * are or what they are called; that is a row of `file`, added in a transaction of its own after `write` has
 * answered.
 *
 * A content that no row names is removed by a sweep, but not within an hour after it was written (or written
 * again): that is the time in which its row must have been added. What a sweep and a write of the same
 * content do to each other at the very moment of removal is described where each engine stores its contents.
 */
export type FileStore = {
  /**
   * Stores bytes and answers once they are on disk. Throws TOO_LARGE as soon as there are more than `most`,
   * and whatever the source throws; nothing is stored then. Not to be called inside a transaction, which
   * would wait for the disk. With an object store it throws ObjectStoreError while that is away, unless `later`: then
   * the bytes are stored here and sent once it answers.
   */
  write(source: Source, most: number, options?: { later?: boolean }): Promise<StoredContent>;
  /** The bytes in pieces. Rejects where they are gone or cut. Destroy it if not read to the end. */
  read(content: StoredContent): Promise<Readable>;
  /** Removes what no row of `file` names and what interrupted writes left, once it is old enough. */
  sweep(): Promise<Swept>;
  /** Counts the contents that a sweep would leave; changes nothing. */
  count(): Promise<Swept>;
  /** Called when nothing is written any more, before the database closes. */
  close(): Promise<void>;
  /** Actions on the object store; null where there is none. */
  objects:
    | (Pick<ContentsInObjects, 'probe' | 'send'> & {
        /** Moves all contents to the store, or back; each is compared by its hash before it is removed where it was. */
        move(to: 'store' | 'local', progress: (moved: Moved) => boolean): Promise<Moved>;
      })
    | null;
};

/** How long a content without a row is safe from the sweep, and how long a temporary file may take to write. */
const safeMs = 3_600_000;

export type FileStoreOptions = {
  database: Database;
  dataDir: string;
  clock: Clock;
  objectStore?: ObjectStoreOptions | null;
};

/**
 * Contents are files under `files` in the data folder; on PostgreSQL rows, and only received there (RUN-1). With an
 * object store they are objects there (STORE-2).
 */
export function createFileStore({
  database,
  dataDir,
  clock,
  objectStore = null,
}: FileStoreOptions): FileStore {
  const folders = createFolders(dataDir);
  const temporary = join(dataDir, 'files', 'tmp');
  const underWay = new Set<string>();
  const isFolder = database.engine === 'sqlite';
  const local = isFolder
    ? contentsInFolder({ database, dataDir, folders, clock })
    : contentsInRows({ database, clock });
  const objects =
    objectStore === null
      ? null
      : contentsInObjects({
          database,
          clock,
          local,
          store: createObjectStore({ timeoutMs: 20_000, ...objectStore }),
          isPaused: () => isFolder && sweepsArePaused(dataDir),
        });
  const contents = objects ?? local;

  return {
    write: (source, most, { later = false } = {}) =>
      writeTo((received) => contents.keep(received, later), source, most),
    async read(content) {
      const bytes = await contents.read(content);
      if (bytes === null) throw new Error(`The content ${content.hash} is gone.`);
      return bytes;
    },
    async sweep() {
      const before = clock.now() - safeMs;
      for (const name of await namesIn(temporary)) {
        const found = underWay.has(name) ? null : await statOf(join(temporary, name));
        if (found !== null && found.mtimeMs < before) await rm(join(temporary, name), { force: true });
      }
      return contents.sweep(before);
    },
    count: contents.count,
    close: contents.close,
    objects: objects && {
      ...objects,
      move: (to, progress) =>
        to === 'store'
          ? objects.moveThere(progress)
          : objects.moveBack(
              (source, most) => writeTo((received) => local.keep(received, false), source, most),
              progress,
            ),
    },
  };

  /** Writes a temporary file, which afterwards is gone or has become the content. */
  async function writeTo(
    keep: (received: Received) => Promise<boolean>,
    source: Source,
    most: number,
  ): Promise<StoredContent> {
    await folders.make(temporary);
    const name = newId();
    const path = join(temporary, name);
    underWay.add(name);
    try {
      return await writeBy(path, keep, source, most);
    } finally {
      underWay.delete(name);
    }
  }

  async function writeBy(
    path: string,
    keep: (received: Received) => Promise<boolean>,
    source: Source,
    most: number,
  ): Promise<StoredContent> {
    const handle = await open(path, 'wx+', 0o600);
    let stays = false;
    try {
      const received = await receive(source, most, handle, contents);
      stays = await keep({ ...received, path, handle });
      return received;
    } finally {
      await handle.close();
      if (!stays) await rm(path, { force: true });
    }
  }
}

async function receive(
  source: Source,
  most: number,
  handle: FileHandle,
  { settle }: Pick<Contents, 'settle'>,
): Promise<StoredContent> {
  const hash = createHash('sha256');
  let size = 0;

  function count(bytes: Uint8Array): void {
    size += bytes.byteLength;
    if (size > most) throw new HttpProblem('TOO_LARGE', { detail: `More than ${most} bytes.` });
  }

  if (source instanceof Uint8Array) {
    count(source);
    await handle.writeFile(source);
    // The disk takes longer than the hash: both at once.
    await settle(handle, () => hashInPieces(hash, source));
  } else {
    for await (const bytes of source) {
      count(bytes);
      hash.update(bytes);
      await handle.writeFile(bytes);
    }
    await settle(handle);
  }
  return { hash: hash.digest('hex'), size };
}

/** The content as which bytes would be stored. */
export async function contentOf(bytes: Uint8Array): Promise<StoredContent> {
  const hash = createHash('sha256');
  await hashInPieces(hash, bytes);
  return { hash: hash.digest('hex'), size: bytes.byteLength };
}

const pieceBytes = 1024 * 1024;

// Ten megabytes at once would block the event loop.
async function hashInPieces(hash: Hash, bytes: Uint8Array): Promise<void> {
  for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
    hash.update(bytes.subarray(start, start + pieceBytes));
    await nextTurn();
  }
}
