import { copyFileSync, existsSync, linkSync, mkdirSync } from 'node:fs';
import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockFolder } from '#server/platform/files/data-folder.ts';
import { sqliteFile, type LastChange } from '#server/platform/database/database.ts';
import { namesIn, syncFolder } from '#server/platform/files/folders.ts';
import { hasLog } from '#server/platform/database/sqlite-snapshot.ts';
import { BackupError, diskFailure } from './backup-error.ts';
import { refuseDifference } from './check-backup.ts';
import { copySummed, forEachOf, requireFreeSpace } from './copy-content.ts';
import { contentPath, databaseName, readManifest, type Manifest } from './manifest.ts';

export type RestoreRequest<Settled> = {
  from: string;
  dataDir: string;
  /** Whether existing data is put aside. */
  replace: boolean;
  /** The migrations that this program knows. */
  known: readonly string[];
  now(): number;
  /** Prepares the restored database in that folder; `previous` is the last change of the replaced one. */
  settle(folder: string, manifest: Manifest, previous: LastChange | null): Promise<Settled>;
  progress(text: string): void;
};

export type Restored<Settled> = { manifest: Manifest; settled: Settled; aside: string | null };

/*
 * A restore can be killed at any point, and leaves the old data or the new:
 *
 * 1. All of the backup is copied into `restore.partial` in the data folder and compared with its sums; the
 *    database there is settled.
 * 2. The old data is put aside, by links: it stays where it is as well.
 * 3. The restored contents get their places. They are named by their bytes, so they do not disturb the old
 *    database.
 * 4. The restored database takes the old one's name, in one step. Before that the old is in force, after it
 *    the new.
 * 5. The contents that only the old database names are removed; they have been put aside.
 *
 * Folders are not exchanged as a whole: the data folder may be a mounted one, which cannot be renamed.
 */
export async function restoreBackup<Settled>(request: RestoreRequest<Settled>): Promise<Restored<Settled>> {
  const { dataDir } = request;
  const from = resolve(request.from);
  const manifest = await readManifest(from);
  if (!request.known.includes(manifest.schema)) {
    throw new BackupError(
      `${from} was made by a newer Portico (${manifest.portico}, ${manifest.schema}). Restore it with that version.`,
    );
  }
  const hold = lockFolder(dataDir);
  if (hold === null)
    throw new BackupError(`A Portico server is running on the data folder ${dataDir}. Stop it first.`);
  try {
    return await restoreInto(request, from, manifest);
  } catch (error) {
    throw diskFailure(error, dataDir);
  } finally {
    hold.release();
  }
}

async function restoreInto<Settled>(
  request: RestoreRequest<Settled>,
  from: string,
  manifest: Manifest,
): Promise<Restored<Settled>> {
  const { dataDir, progress } = request;
  const file = sqliteFile(dataDir);
  if (!existsSync(file) && hasLog(file))
    throw new BackupError(
      `${file}-wal belongs to a database that is not there. Move it away: SQLite would read it into the restored one.`,
    );
  const occupied = await holdsData(dataDir);
  if (occupied && !request.replace) {
    throw new BackupError(
      `${dataDir} holds data already. Name an empty folder by DATA_DIR, or give --replace, which puts that data aside.`,
    );
  }
  const staging = join(dataDir, 'restore.partial');
  await rm(staging, { recursive: true, force: true });
  let aside: string | null = null;
  let settled: Settled;
  try {
    await stage(from, manifest, staging, progress);
    settled = await request.settle(staging, manifest, lastChangeIn(sqliteFile(dataDir)));
    await removeCopies(staging);
    if (occupied) aside = await putAside(dataDir, request.now());
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  await placeContents(manifest, staging, dataDir);
  await rename(join(staging, databaseName), sqliteFile(dataDir));
  await syncFolder(dataDir);
  if (aside !== null) await removeOthers(manifest, dataDir);
  await rm(staging, { recursive: true, force: true });
  return { manifest, settled, aside };
}

/** Whether a data folder holds a database or files. */
export async function holdsData(dataDir: string): Promise<boolean> {
  if (existsSync(sqliteFile(dataDir))) return true;
  return (await contentsIn(dataDir)).length > 0;
}

/** The contents in a data folder, by hash. */
async function contentsIn(dataDir: string): Promise<string[]> {
  const files = join(dataDir, 'files');
  const found: string[] = [];
  for (const home of await namesIn(files))
    if (/^[0-9a-f]{2}$/.test(home)) found.push(...(await namesIn(join(files, home))));
  return found;
}

async function stage(
  from: string,
  manifest: Manifest,
  staging: string,
  progress: (text: string) => void,
): Promise<void> {
  await mkdir(staging, { mode: 0o700 });
  const bytes = manifest.contents.reduce((sum, content) => sum + content.bytes, manifest.database.bytes);
  await requireFreeSpace(staging, bytes);
  progress('Copying the database…');
  const database = join(from, databaseName);
  refuseDifference(database, await copySummed(database, join(staging, databaseName)), manifest.database);
  // Contents get the time of the backup: if the restore stops here, a sweep does not take them for new ones.
  const time = new Date(manifest.createdAt);
  let copied = 0;
  await forEachOf(manifest.contents, async (content) => {
    const [source, target] = [from, staging].map((folder) => contentPath(folder, content.sha256)) as [
      string,
      string,
    ];
    refuseDifference(source, await copySummed(source, target), content);
    await utimes(target, time, time);
    progress(`Copying files: ${(copied += 1)} of ${manifest.contents.length}`);
  });
}

/** Removes the copies that a migration makes first: the backup itself is such a copy. */
async function removeCopies(staging: string): Promise<void> {
  for (const name of await namesIn(staging))
    if (name.startsWith(`${databaseName}.before-`)) await rm(join(staging, name));
}

/** The last change of a database, or null where there is none or it cannot be read. */
function lastChangeIn(file: string): LastChange | null {
  // SQLite would make one.
  if (!existsSync(file)) return null;
  try {
    const database = new DatabaseSync(file, { readOnly: hasLog(file) });
    try {
      return database.prepare('select n as revision, at from revision').get() as LastChange;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** Links all data into a new folder, which is a data folder itself; answers its path. */
async function putAside(dataDir: string, now: number): Promise<string> {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const aside = join(dataDir, `replaced-${time}`);
  const partial = `${aside}.partial`;
  const file = sqliteFile(dataDir);
  // Left by restores that were killed.
  for (const name of await namesIn(dataDir))
    if (/^replaced-.*\.partial$/.test(name)) await rm(join(dataDir, name), { recursive: true });
  await mkdir(join(partial, 'files'), { recursive: true, mode: 0o700 });
  try {
    if (existsSync(file)) {
      // If SQLite cannot read a database, it removes the log; another tool may recover something from both.
      const log = join(partial, `${databaseName}-wal`);
      if (hasLog(file)) copyFileSync(`${file}-wal`, log);
      const whole = foldLog(file, dataDir);
      link(file, join(partial, databaseName));
      if (whole) await rm(log, { force: true });
      else for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
    }
    for (const hash of await contentsIn(dataDir)) {
      mkdirSync(join(partial, 'files', hash.slice(0, 2)), { recursive: true, mode: 0o700 });
      link(contentPath(dataDir, hash), contentPath(partial, hash));
    }
    await rename(partial, aside);
    await syncFolder(dataDir);
    return aside;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Folds the log of the old database into its file: the new one must not find a foreign log. Answers whether
 * that was possible. Throws BackupError where another process has the database open.
 */
function foldLog(file: string, dataDir: string): boolean {
  const busy = new BackupError(
    `Another process uses the database in ${dataDir}. Wait until it has ended, then repeat it.`,
  );
  let mode: unknown;
  try {
    const old = new DatabaseSync(file, { timeout: 2_000 });
    try {
      mode = old.prepare('pragma journal_mode = delete').get()?.['journal_mode'];
    } finally {
      old.close();
    }
  } catch (error) {
    if (/locked|busy/.test((error as Error).message)) throw busy;
    return false;
  }
  if (mode !== 'delete') throw busy;
  return true;
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Some file systems have no links.
    if (
      !['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(
        (error as { code?: string }).code ?? '',
      )
    )
      throw error;
    copyFileSync(from, to);
  }
}

async function placeContents({ contents }: Manifest, staging: string, dataDir: string): Promise<void> {
  const homes = new Set<string>();
  await mkdir(join(dataDir, 'files'), { recursive: true, mode: 0o700 });
  for (const { sha256 } of contents) {
    const target = contentPath(dataDir, sha256);
    const home = join(target, '..');
    if (!homes.has(home)) await mkdir(home, { recursive: true, mode: 0o700 });
    homes.add(home);
    await rename(contentPath(staging, sha256), target);
  }
  for (const home of homes) await syncFolder(home);
  await syncFolder(join(dataDir, 'files'));
}

async function removeOthers({ contents }: Manifest, dataDir: string): Promise<void> {
  const restored = new Set(contents.map(({ sha256 }) => sha256));
  for (const hash of await contentsIn(dataDir))
    if (!restored.has(hash)) await rm(contentPath(dataDir, hash), { force: true });
}
