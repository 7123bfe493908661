import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { newId } from '../keys/ids.ts';

/**
 * Writes a small file whole or not at all, for its owner only: under another name first, synced, then
 * renamed. A full disk leaves what was there before, and no empty or cut off file.
 *
 * @throws the system's error
 */
export function writeWholeFile(path: string, content: string): void {
  const partial = `${path}.${newId()}`;
  try {
    const file = openSync(partial, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
