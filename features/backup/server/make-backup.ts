import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { sqliteFile } from '#server/platform/database/database.ts';
import { namesIn, syncFolder } from '#server/platform/files/folders.ts';
import { hasLog, snapshot } from '#server/platform/database/sqlite-snapshot.ts';
import { pauseSweeps } from '#server/platform/files/contents-in-folder.ts';
import { nameOf } from '#server/platform/files/contents-in-objects.ts';
import { lockFolder } from '#server/platform/files/data-folder.ts';
import { ObjectStoreError } from '#server/platform/object-store/object-store-error.ts';
import {
  createObjectStore,
  type ObjectStore,
  type ObjectStoreOptions,
} from '#server/platform/object-store/object-store.ts';
import { BackupError, diskFailure } from './backup-error.ts';
import { copySummed, forEachOf, requireFreeSpace, sumOf } from './copy-content.ts';
import { contentPath, databaseName, manifestName, type Manifest } from './manifest.ts';

export type BackupRequest = {
  dataDir: string;
  /** The object store that holds files in addition to the data folder, or null. */
  objectStore: ObjectStoreOptions | null;
  /** The folder to make. */
  to: string;
  /** The version of this program. */
  version: string;
  now(): number;
  progress(text: string): void;
};

/**
 * Makes a backup of a data folder, with a running server or without one: a snapshot of the database, then
 * the contents that it names, each on disk and compared with its SHA-256, at last the manifest. Only then
 * does the folder get its name, so a folder of that name is complete. Throws BackupError, and then leaves
 * nothing behind.
 */
export async function makeBackup(request: BackupRequest): Promise<{ folder: string; manifest: Manifest }> {
  const folder = await freeTarget(request);
  const partial = `${folder}.partial`;
  const hold = await lockPartial(partial, dirname(folder));
  if (hold === null) throw new BackupError(`Another backup to ${folder} is under way.`);
  try {
    const manifest = await fill(partial, request);
    hold.release();
    await rm(hold.file);
    await syncFolder(partial);
    await rename(partial, folder);
    await syncFolder(dirname(folder));
    return { folder, manifest };
  } catch (error) {
    hold.release();
    await rm(partial, { recursive: true, force: true });
    throw diskFailure(error, dirname(folder));
  }
}

async function lockPartial(partial: string, parent: string): Promise<ReturnType<typeof lockFolder>> {
  try {
    return lockFolder(partial);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw diskFailure(error, parent);
  }
}

/** The resolved path of the folder. Its parent is not created: a disk that is not mounted is an error. */
async function freeTarget({ dataDir, to }: BackupRequest): Promise<string> {
  if (!existsSync(sqliteFile(dataDir)))
    throw new BackupError(`There is no data of Portico in ${dataDir}. DATA_DIR names another folder.`);
  const wanted = resolve(to);
  const parent = await realpath(dirname(wanted)).catch(() => null);
  if (parent === null) throw new BackupError(`There is no folder ${dirname(wanted)} to make the backup in.`);
  const folder = join(parent, basename(wanted));
  const data = await realpath(dataDir);
  if (folder === data || folder.startsWith(data + sep))
    throw new BackupError(`${folder} is in the data folder itself. Name a place outside ${data}.`);
  if (existsSync(folder) && (await isTaken(folder)))
    throw new BackupError(`${folder} is there already. Name a folder that is not there yet.`);
  return folder;
}

async function isTaken(path: string): Promise<boolean> {
  return readdir(path).then(
    (names) => names.length > 0,
    () => true,
  );
}

async function fill(partial: string, request: BackupRequest): Promise<Manifest> {
  const { version, now, progress, dataDir } = request;
  // Removes what an earlier, interrupted backup has left.
  for (const name of await namesIn(partial))
    if (name !== 'server.lock') await rm(join(partial, name), { recursive: true });
  const pause = pausedSweeps(dataDir);
  try {
    progress('Copying the database…');
    const createdAt = new Date(now()).toISOString();
    const file = join(partial, databaseName);
    await takeSnapshot(dataDir, file);
    const { schema, named, rows } = readSnapshot(file);
    await requireFreeSpace(
      partial,
      named.reduce((sum, { size }) => sum + size, 0),
    );
    const database = await sumOf(file);
    if (database === null) throw new BackupError(`${file} is gone.`);
    const { contents, missing } = await copyContents(named, partial, request);
    const manifest: Manifest = {
      format: 1,
      portico: version,
      schema,
      createdAt,
      database,
      contents,
      missing,
      rows,
    };
    await syncFolders(partial);
    await writeFile(join(partial, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    return manifest;
  } finally {
    pause.release();
  }
}

function pausedSweeps(dataDir: string): { release(): void } {
  try {
    return pauseSweeps(dataDir);
  } catch (cause) {
    throw new BackupError(
      `${dataDir} cannot be locked against the removal of files. Run the backup as the user of the server.`,
      { cause },
    );
  }
}

async function takeSnapshot(dataDir: string, to: string): Promise<void> {
  const file = sqliteFile(dataDir);
  // Without a write-ahead log no server runs, and opening the file read-only would leave such a log behind.
  const source = new DatabaseSync(file, { readOnly: hasLog(file), timeout: 5_000 });
  try {
    const pages = source.prepare('pragma page_count').get()?.['page_count'] as number;
    const pageSize = source.prepare('pragma page_size').get()?.['page_size'] as number;
    await requireFreeSpace(dirname(to), pages * pageSize);
    snapshot(source, to);
  } catch (error) {
    throw notADatabase(error, file);
  } finally {
    source.close();
  }
}

type Named = { hash: string; size: number };

function readSnapshot(file: string): { schema: string; named: Named[]; rows: Record<string, number> } {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    const fault = faultOf(copy);
    if (fault !== null) throw new BackupError(`The database is damaged (${fault}). Restore a backup.`);
    const { name } = copy.prepare('select max(name) as name from kysely_migration').get() as { name: string };
    const named = copy
      .prepare('select hash, max(size) as size from file group by hash order by hash')
      .all() as Named[];
    return { schema: name, named, rows: countRows(copy) };
  } catch (error) {
    throw notADatabase(error, file);
  } finally {
    copy.close();
  }
}

/** How many rows each table has. */
export function countRows(database: DatabaseSync): Record<string, number> {
  const tables = database
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`)
    .all() as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => {
      const { count } = database.prepare(`select count(*) as count from "${name}"`).get() as {
        count: number;
      };
      return [name, count];
    }),
  );
}

/** What SQLite finds wrong with a database, or null. */
export function faultOf(database: DatabaseSync): string | null {
  try {
    const [first] = database.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[];
    return first?.integrity_check === 'ok' ? null : (first?.integrity_check ?? 'no answer');
  } catch (error) {
    // On a badly damaged database SQLite fails before it can look for faults.
    const { message } = error as Error;
    if (/malformed|not a database/.test(message)) return message;
    throw error;
  }
}

function notADatabase(error: unknown, file: string): unknown {
  const { message = '' } = error as { message?: string };
  return /not a database|malformed|no such table/.test(message)
    ? new BackupError(`${file} cannot be read as a database of Portico (${message}).`, { cause: error })
    : error;
}

async function copyContents(
  named: readonly Named[],
  partial: string,
  { dataDir, objectStore, progress }: BackupRequest,
): Promise<Pick<Manifest, 'contents' | 'missing'>> {
  const contents: Manifest['contents'] = [];
  const store = objectStore === null ? null : createObjectStore(objectStore);
  const missing: string[] = [];
  await forEachOf(named, async ({ hash, size }) => {
    const target = contentPath(partial, hash);
    const source = contentPath(dataDir, hash);
    const isThere = store !== null && !existsSync(source) && (await copyObject(store, hash, target));
    // A content that was found in neither place has been moved back to the data folder since, or is lost.
    const copied = isThere ? { sha256: hash, bytes: size } : await copySummed(source, target);
    if (copied?.sha256 === hash && copied.bytes === size) {
      contents.push(copied);
    } else {
      await rm(target, { force: true });
      missing.push(hash);
    }
    progress(`Copying files: ${contents.length + missing.length} of ${named.length}`);
  });
  return {
    contents: contents.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1)),
    missing: missing.toSorted(),
  };
}

/** Answers false where the store has no such object, or another one. Throws BackupError where it cannot be asked. */
async function copyObject(store: ObjectStore, hash: string, target: string): Promise<boolean> {
  try {
    const source = await store.get(nameOf(hash), { sha256: hash });
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(source, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
    return true;
  } catch (error) {
    await rm(target, { force: true });
    if (!(error instanceof ObjectStoreError)) throw error;
    if (error.code === 'NOT_FOUND' || error.code === 'CHANGED') return false;
    throw new BackupError(`The files cannot be read from FILES_URL: ${error.message}`, { cause: error });
  }
}

async function syncFolders(partial: string): Promise<void> {
  const files = join(partial, 'files');
  await mkdir(files, { recursive: true, mode: 0o700 });
  for (const home of await namesIn(files)) await syncFolder(join(files, home));
  await syncFolder(files);
  await syncFolder(partial);
}
