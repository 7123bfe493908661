import { createWriteStream } from 'node:fs';
import { mkdtemp, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { namesIn, syncFolder } from '#server/platform/files/folders.ts';
import { ObjectStoreError } from '#server/platform/object-store/object-store-error.ts';
import { createObjectStore, type ObjectStoreOptions } from '#server/platform/object-store/object-store.ts';
import { BackupError, diskFailure } from './backup-error.ts';

/** A folder on a disk, or an object store. */
export type BackupPlace = string | ObjectStoreOptions;

/** Where backups are stored, each under a name. */
export type Destination = {
  /** Stores a stream. Nothing has the name before all of it is stored. Answers its size in bytes. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** The names of what is stored. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** Gives `work` the path of a backup, which is fetched for it where it is not on a disk of this machine. */
  withFile<T>(name: string, work: (path: string) => Promise<T>): Promise<T>;
};

export function openDestination(place: BackupPlace): Destination {
  return typeof place === 'string' ? folderDestination(place) : storeDestination(place);
}

/** Throws BackupError where the folder is missing, or is the data folder or in it. */
export async function requireFolder(folder: string, dataDir: string): Promise<void> {
  const found = await realpath(folder).catch(() => null);
  // A missing folder is not created: a disk that is not mounted must not be filled by mistake.
  if (found === null || !(await stat(found)).isDirectory())
    throw new BackupError(`There is no folder ${folder} to make backups in.`, { reason: 'folder' });
  const data = await realpath(dataDir).catch(() => dataDir);
  if (found === data || found.startsWith(data + sep))
    throw new BackupError(`${folder} is in the data folder itself. Name a place outside ${data}.`, {
      reason: 'folder',
    });
}

/**
 * Throws BackupError where nothing can be written to the folder. Permissions alone say little: the disk may be
 * mounted read-only, or accept no folders.
 */
export async function requireWritable(folder: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(folder, '.portico-')));
  } catch (cause) {
    const failure = diskFailure(cause, folder);
    throw failure instanceof BackupError
      ? failure
      : new BackupError(`${folder} may not be written to.`, { reason: 'denied', cause });
  }
}

function folderDestination(folder: string): Destination {
  return {
    async put(name, content) {
      const partial = join(folder, `${name}.partial`);
      try {
        await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }));
        const { size } = await stat(partial);
        await rename(partial, join(folder, name));
        await syncFolder(folder);
        return size;
      } catch (error) {
        await rm(partial, { force: true });
        throw diskFailure(error, folder);
      }
    },
    list: () => namesIn(folder),
    remove: (name) => rm(join(folder, name)),
    withFile: (name, work) => work(join(folder, name)),
  };
}

function storeDestination(options: ObjectStoreOptions): Destination {
  const store = createObjectStore(options);
  return {
    put: (name, content) => answered(async () => (await store.put(name, content)).size),
    list: () =>
      answered(async () => {
        const names: string[] = [];
        for await (const { name } of store.list('portico-')) names.push(name);
        return names;
      }),
    remove: (name) => answered(() => store.delete(name)),
    async withFile(name, work) {
      const folder = await mkdtemp(join(tmpdir(), 'portico-fetched-'));
      try {
        const path = join(folder, name);
        await answered(async () =>
          pipeline(await store.get(name), createWriteStream(path, { flags: 'wx', mode: 0o600 })),
        );
        return await work(path);
      } catch (error) {
        throw diskFailure(error, folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Converts a failure of the object store into a BackupError, whose line a person can act on. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ObjectStoreError)) throw cause;
    const reason = cause.code === 'REFUSED' ? 'denied' : 'folder';
    throw new BackupError(`The object store of BACKUP_FOLDER: ${cause.message}`, { reason, cause });
  }
}
