import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { namesIn } from '#server/platform/files/folders.ts';
import { packBackup, unpackBackup } from './archive.ts';
import { diskFailure } from './backup-error.ts';
import { openDestination, requireFolder, type BackupPlace, type Destination } from './destination.ts';
import { decrypted, encrypted, isEncrypted } from './encryption.ts';
import { makeBackup, type BackupRequest } from './make-backup.ts';

export type BackupFileRequest = Omit<BackupRequest, 'to'> & {
  place: BackupPlace;
  /** What the names of this installation's backups begin with. */
  label: string;
  passphrase: string | null;
  /** How many are kept. */
  keep: number;
};

export type BackupFile = {
  name: string;
  bytes: number;
  files: number;
  missing: number;
  /** How many older ones beyond `keep` could not be removed. */
  kept: number;
};

/** The prefix of backup names: the host of the installation, so that several installations can share a folder. */
export function labelOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  return `portico-${`${host}${pathname}`.replaceAll(/[^a-z0-9.]+/g, '-').replace(/-$/, '')}`;
}

/** The names of an installation's backups in a destination, the latest first. */
export async function backupNames(destination: Destination, label: string): Promise<string[]> {
  const pattern = /^_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar(?:\.encrypted)?$/;
  const names = await destination.list();
  return names
    .filter((name) => name.startsWith(label) && pattern.test(name.slice(label.length)))
    .toSorted()
    .toReversed();
}

/**
 * Makes a backup as a folder (next to the file; for an object store among temporary files), packs it into a file,
 * encrypted if there is a passphrase, then removes older ones beyond `keep`. Throws BackupError, leaving nothing.
 */
export async function makeBackupFile(request: BackupFileRequest): Promise<BackupFile> {
  const { place, label, passphrase, keep, dataDir, now, progress } = request;
  const folder = typeof place === 'string' ? place : tmpdir();
  await requireFolder(folder, dataDir);
  const destination = openDestination(place);
  await removeInterrupted(folder, label);
  const time = new Date(now()).toISOString().replaceAll(/[:.]/g, '-');
  const name = `${label}_${time}.tar${passphrase === null ? '' : '.encrypted'}`;
  const staging = join(folder, `${label}_${time}.making`);
  try {
    const { manifest } = await makeBackup({ ...request, to: staging });
    progress('Writing the archive…');
    const packed = packBackup(staging);
    const bytes = await destination.put(name, passphrase === null ? packed : encrypted(packed, passphrase));
    // A store may refuse to remove old backups, such as locked objects; the new backup is still valid.
    let kept = 0;
    for (const old of (await backupNames(destination, label)).slice(keep))
      await destination.remove(old).catch(() => (kept += 1));
    return { name, bytes, files: manifest.contents.length, missing: manifest.missing.length, kept };
  } catch (error) {
    throw diskFailure(error, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes what a killed process has left. */
async function removeInterrupted(folder: string, label: string): Promise<void> {
  for (const name of await namesIn(folder))
    if (name.startsWith(`${label}_`) && /\.(?:making|partial)$/.test(name))
      await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Gives `work` a backup as a folder: a folder as it is, a file unpacked into a folder that is removed afterwards.
 */
export async function withBackupFolder<T>(
  path: string,
  passphrase: string | null,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const beginning = await firstBytes(path);
  if (beginning === null) return work(path);
  const scratch = await mkdtemp(join(tmpdir(), 'portico-backup-'));
  try {
    const folder = join(scratch, 'backup');
    await mkdir(folder, { mode: 0o700 });
    const name = basename(path);
    const file = createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
    await unpackBackup(isEncrypted(beginning) ? decrypted(file, passphrase, name) : file, folder, name);
    return await work(folder);
  } catch (error) {
    throw diskFailure(error, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The first bytes of a file; null where the path is a folder or does not exist. */
async function firstBytes(path: string): Promise<Buffer | null> {
  if (!existsSync(path)) return null;
  const file = await open(path, 'r').catch((error: unknown) => {
    throw diskFailure(error, path);
  });
  try {
    if ((await file.stat()).isDirectory()) return null;
    const bytes = Buffer.alloc(8);
    await file.read(bytes);
    return bytes;
  } finally {
    await file.close();
  }
}
