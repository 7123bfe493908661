import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../time/clock.ts';
import { divideUnnamed, type LocalContents, noteAgreed, readAgreement, type Unnamed } from './contents.ts';
import type { Database, Reader } from '../database/database.ts';
import { namesIn, statOf, syncFolder, type Folders } from './folders.ts';
import { isBusy } from '../database/sqlite.ts';

/*
 * A backup takes a snapshot of the database, then copies the files that it names. Until then none of them may
 * go. The pause is a shared lock of SQLite on a file of its own: several backups hold it at once, and the
 * system drops it with their process.
 */

/**
 * Contents as files, `ab/ab…`, by their hash. The temporary file is synced before it gets its name, the
 * folder after it: where the name is, the bytes are, also after a loss of power.
 *
 * A sweep must not take a content that is being written again. One server holds the data folder, so a lock in
 * memory is enough: both look and act under the lock of the hash. A write that comes first renews the file's
 * time, and the sweep leaves it; a write that comes second finds no file and puts its own there. The row that
 * names a content is added after `write` has answered, within the hour that the renewed time gives it.
 *
 * Nor must a sweep take what a backup is about to copy. It looks whether one is under way after it has seen
 * that no row names the content: a backup that begins later has a snapshot that does not name it either.
 */
export function contentsInFolder({
  database,
  dataDir,
  folders,
  clock,
}: {
  database: Database;
  dataDir: string;
  folders: Folders;
  clock: Clock;
}): LocalContents {
  const { read } = database;
  const folder = join(dataDir, 'files');
  const startedAt = clock.now();
  const alone = createLocks();
  let agrees = false;
  const homeOf = (hash: string) => join(folder, hash.slice(0, 2));
  const pathOf = (hash: string) => join(homeOf(hash), hash);

  return {
    async settle(handle, meanwhile) {
      const now = new Date(clock.now());
      await handle.utimes(now, now);
      await Promise.all([handle.sync(), meanwhile?.()]);
    },

    keep: ({ hash, path }) =>
      alone(hash, async () => {
        await folders.makeAll(folder, homes);
        // Also replaces an existing content of the same bytes: this renews its time and repairs a file that
        // was cut off.
        await rename(path, pathOf(hash));
        await syncFolder(homeOf(hash));
        return true;
      }),

    async read({ hash, size }) {
      const handle = await open(pathOf(hash), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (handle === null) return null;
      try {
        const found = await handle.stat();
        if (found.size !== size) throw new Error(`The content ${hash} has ${found.size} bytes, not ${size}.`);
        return handle.createReadStream();
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    remove: (_tx, hash) => alone(hash, () => rm(pathOf(hash), { force: true })),

    async sweep(before) {
      const { all, removable, held } = await lookThrough();
      agrees = held.length === 0;
      if (agrees) await noteAgreed(database, clock.now());
      for (const { hash } of removable) await removeUnnamed(hash, before);
      await clearRemoved();
      return { held: held.length, contents: all };
    },

    async count() {
      const { all, held } = await lookThrough();
      return { held: held.length, contents: all };
    },

    async close() {
      // Uploads that were broken off since the last sweep are then not in doubt at the next start.
      if (agrees) await noteAgreed(database, clock.now());
    },
  };

  async function lookThrough(): Promise<{ all: number; removable: Unnamed[]; held: Unnamed[] }> {
    const removed = new Map(
      (await read.selectFrom('removed_content').selectAll().execute()).map(({ hash, at }) => [hash, at]),
    );
    let all = 0;
    const found: Unnamed[] = [];
    for (const home of await namesIn(folder)) {
      if (!isHome(home)) continue;
      const hashes = (await namesIn(join(folder, home))).filter((name) => name.startsWith(home));
      all += hashes.length;
      for (const hash of await unnamed(read, hashes)) {
        const stat = await statOf(pathOf(hash));
        if (stat === null) continue;
        found.push({ hash, writtenAt: Math.floor(stat.mtimeMs), removedAt: removed.get(hash) ?? -1 });
      }
    }
    return { all, ...divideUnnamed(found, await readAgreement(read), { all, startedAt }) };
  }

  function removeUnnamed(hash: string, before: number): Promise<void> {
    return alone(hash, async () => {
      const found = await statOf(pathOf(hash));
      if (found === null || found.mtimeMs >= before) return;
      if ((await unnamed(read, [hash])).length > 0 && !sweepsArePaused(dataDir))
        await rm(pathOf(hash), { force: true });
    });
  }

  /** Deletes the rows of `removed_content` whose content is gone or is named again. */
  async function clearRemoved(): Promise<void> {
    const removed = await read.selectFrom('removed_content').select('hash').execute();
    const loose = new Set(
      await unnamed(
        read,
        removed.map(({ hash }) => hash),
      ),
    );
    for (const { hash } of removed) {
      if (loose.has(hash) && (await statOf(pathOf(hash))) !== null) continue;
      await database.transaction((tx) => tx.deleteFrom('removed_content').where('hash', '=', hash).execute());
    }
  }
}

function isHome(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name);
}

// All folders at once: made when first needed, each would cost a write one more disk access.
const homes = Array.from({ length: 256 }, (_home, first) => first.toString(16).padStart(2, '0'));

/** Returns those hashes that no row of `file` names. */
export async function unnamed(read: Reader, hashes: readonly string[]): Promise<string[]> {
  const named = new Set<string>();
  for (let start = 0; start < hashes.length; start += 500) {
    const rows = await read
      .selectFrom('file')
      .select('hash')
      .distinct()
      .where('hash', 'in', hashes.slice(start, start + 500))
      .execute();
    for (const { hash } of rows) named.add(hash);
  }
  return hashes.filter((hash) => !named.has(hash));
}

/** Runs the work for one key one after the other. */
function createLocks(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return mine;
  };
}

const lockFile = (dataDir: string): string => join(dataDir, 'backup.lock');

/** Keeps sweeps of the data folder away until it is released. Waits five seconds for the lock. */
export function pauseSweeps(dataDir: string): { release(): void } {
  const lock = new DatabaseSync(lockFile(dataDir), { timeout: 5_000 });
  try {
    lock.exec('begin');
    // SQLite takes the shared lock only at a read.
    lock.prepare('select count(*) from sqlite_master').get();
  } catch (error) {
    lock.close();
    throw error;
  }
  return { release: () => lock.close() };
}

/** Whether a backup needs the files as they are. */
export function sweepsArePaused(dataDir: string): boolean {
  if (!existsSync(lockFile(dataDir))) return false;
  const lock = new DatabaseSync(lockFile(dataDir), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}
