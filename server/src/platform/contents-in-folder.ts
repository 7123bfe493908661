import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import type { Reader } from './database.ts';
import type { Contents } from './file-store.ts';
import { namesIn, statOf, syncFolder, type Folders } from './folders.ts';

export type ContentsInFolderOptions = { read: Reader; folder: string; folders: Folders; clock: Clock };

/**
 * Contents as files, `ab/ab…`, by their hash. The temporary file is synced before it gets its name, the folder after
 * it: whoever finds the name finds the bytes, also after a loss of power.
 *
 * A sweep must not take a content that is being written again. One server holds the data folder, so a lock in memory is
 * enough: both look and act under the lock of the hash. A write that comes first renews the file's time, and the sweep
 * leaves it; a write that comes second finds no file and puts its own there. The row that names a content is added
 * after `write` has answered, within the hour that the renewed time gives it.
 */
export function contentsInFolder({ read, folder, folders, clock }: ContentsInFolderOptions): Contents {
  const alone = createLocks();
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
        // Also over the same bytes from before: so their time is renewed, and what lost its end is whole again.
        await rename(path, pathOf(hash));
        await syncFolder(homeOf(hash));
        return true;
      }),

    async read({ hash, size }) {
      const handle = await open(pathOf(hash), 'r').catch((cause: unknown) => {
        throw new Error(`The content ${hash} is gone.`, { cause });
      });
      try {
        const found = await handle.stat();
        if (found.size !== size) throw new Error(`The content ${hash} has ${found.size} bytes, not ${size}.`);
        return handle.createReadStream();
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async sweep(before) {
      for (const home of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(home)) continue;
        const hashes = (await namesIn(join(folder, home))).filter((name) => name.startsWith(home));
        for (const hash of await unnamed(read, hashes)) {
          await alone(hash, async () => {
            const found = await statOf(pathOf(hash));
            if (found === null || found.mtimeMs >= before) return;
            if ((await unnamed(read, [hash])).length > 0) await rm(pathOf(hash), { force: true });
          });
        }
      }
    },
  };
}

// All at once: one that is made when it is first needed costs that write one more look at the disk, 256 times.
const homes = Array.from({ length: 256 }, (_home, first) => first.toString(16).padStart(2, '0'));

/** Those of the hashes that no row names. */
async function unnamed(read: Reader, hashes: readonly string[]): Promise<string[]> {
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

/** Runs what concerns one key one after the other. */
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
