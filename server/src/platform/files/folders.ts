import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type Folders = {
  /**
   * Makes a folder under the root, for its owner only, and answers once it and those above it are on disk.
   */
  make(path: string): Promise<void>;
  /** Makes many folders in one parent folder, which is synced once for all of them. */
  makeAll(parent: string, names: readonly string[]): Promise<void>;
};

/**
 * Folders under `root` that survive a loss of power. An existing folder may have been made just before the last
 * loss of power, so each folder is synced once in the life of a process.
 */
export function createFolders(root: string): Folders {
  const made = new Map<string, Promise<void>>([[root, Promise.resolve()]]);

  /** Runs the work of a key once in the life of a process, and again only where it failed. */
  function once(key: string, work: () => Promise<void>): Promise<void> {
    let making = made.get(key);
    if (making === undefined) {
      making = work().catch((error: unknown) => {
        made.delete(key);
        throw error;
      });
      made.set(key, making);
    }
    return making;
  }

  function make(path: string): Promise<void> {
    return once(path, () => makeIn(dirname(path), [path]));
  }

  async function makeIn(parent: string, paths: readonly string[]): Promise<void> {
    await make(parent);
    try {
      await makeEach(paths);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT' || parent === root) throw error;
      // The folder above was made, and was removed since.
      made.delete(parent);
      await make(parent);
      await makeEach(paths);
    }
    await syncFolder(parent);
  }

  return {
    make,
    makeAll: (parent, names) =>
      once(`${parent}/*`, () =>
        makeIn(
          parent,
          names.map((name) => join(parent, name)),
        ),
      ),
  };
}

async function makeEach(paths: readonly string[]): Promise<void> {
  for (const path of paths) await makeOne(path);
}

// Not `recursive`: that never ends where the system denies that the folder above exists.
async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    // Something other than a folder may have the name.
    if (!(await stat(path)).isDirectory()) throw error;
  }
}

/** Answers once the names in a folder are on disk: fsync(2) of a file does not sync its entry. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder; its file systems keep names in a journal of their own.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The names in a folder; empty if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await orNull(readdir(folder))) ?? [];
}

/** Size in bytes and time of the last change in milliseconds, or null where there is nothing. */
export function statOf(path: string): Promise<{ size: number; mtimeMs: number } | null> {
  return orNull(stat(path));
}

async function orNull<T>(looking: Promise<T>): Promise<T | null> {
  try {
    return await looking;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}
