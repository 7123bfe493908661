import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BackupError } from './backup-error.ts';
import { forEachOf, sumOf, type Summed } from './copy-content.ts';
import { faultOf } from './make-backup.ts';
import { contentPath, databaseName, readManifest, type Manifest } from './manifest.ts';

/**
 * Reads a whole backup, compares it with its manifest, and returns a line for each fault.
 * Throws BackupError if it is not a whole backup.
 */
export async function checkBackup(
  backup: string,
  progress: (text: string) => void,
): Promise<{ manifest: Manifest; faults: string[] }> {
  const manifest = await readManifest(backup);
  const faults: string[] = [];
  const compare = async (path: string, expected: Summed): Promise<boolean> => {
    const fault = difference(await sumOf(path), expected);
    if (fault !== null) faults.push(`${path} ${fault}.`);
    return fault === null;
  };
  progress('Checking the database…');
  const database = join(backup, databaseName);
  if (await compare(database, manifest.database)) {
    const copy = new DatabaseSync(database, { readOnly: true });
    const fault = faultOf(copy);
    copy.close();
    if (fault !== null) faults.push(`${database} is damaged: ${fault}.`);
  }
  let checked = 0;
  await forEachOf(manifest.contents, async (content) => {
    await compare(contentPath(backup, content.sha256), content);
    progress(`Checking files: ${(checked += 1)} of ${manifest.contents.length}`);
  });
  return { manifest, faults };
}

/** How the bytes that were read differ from the manifest, or null. */
export function difference(found: Summed | null, expected: Summed): string | null {
  if (found === null) return 'is missing';
  if (found.bytes !== expected.bytes) return `has ${found.bytes} bytes instead of ${expected.bytes}`;
  return found.sha256 === expected.sha256 ? null : 'has other bytes than when it was written';
}

/** The same as a failure. */
export function refuseDifference(path: string, found: Summed | null, expected: Summed): void {
  const fault = difference(found, expected);
  if (fault !== null) throw new BackupError(`${path} ${fault}. Use another backup; nothing was changed.`);
}
