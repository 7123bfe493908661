import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, for its owner only; a folder that is there stays as it is. `mkdir` with
 * `recursive` is not used: it never ends where the system denies that the folder above exists, as below
 * /proc.
 *
 * @throws the system's error where it cannot be made, or where something else has the name
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been first. A link that leads nowhere has the name too.
    if ((error as { code?: string }).code !== 'EEXIST' || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() ?? false;
}
