import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A source map in a folder, and the script that it explains. */
export type FoundMap = {
  /** Path of the map's file. */
  path: string;
  /** Path of the script below the folder, such as `/assets/main-1a2b.js`. */
  script: string;
  bytes: number;
  /** What the build has written into script or map to match them; null where it has not. */
  debugId: string | null;
};

/** Bytes at the end of a script in which its comment with the debug id stands. */
const tailBytes = 2_048;

/** The source maps beside the scripts of a folder and the folders in it, by path. Throws where it cannot be read. */
export async function findSourceMaps(folder: string): Promise<FoundMap[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const maps = entries
    .filter((entry) => entry.isFile() && /\.[cm]?js\.map$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).split(sep).includes('node_modules'))
    .toSorted();
  const found: FoundMap[] = [];
  for (const path of maps) {
    const script = path.slice(0, -'.map'.length);
    found.push({
      path,
      script: `/${relative(folder, script).split(sep).join('/')}`,
      bytes: (await stat(path)).size,
      debugId: (await debugIdInScript(script)) ?? (await debugIdInMap(path)),
    });
  }
  return found;
}

/** The comment that bundlers write (tc39/ecma426, "Debug IDs"). */
async function debugIdInScript(script: string): Promise<string | null> {
  const file = await open(script).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(tailBytes),
      position: Math.max(0, size - tailBytes),
    });
    return (
      /\/\/# debugId=([0-9A-Fa-f-]{32,36})\s/.exec(`${buffer.toString('utf8', 0, bytesRead)}\n`)?.[1] ?? null
    );
  } finally {
    await file.close();
  }
}

async function debugIdInMap(path: string): Promise<string | null> {
  try {
    const { debugId, debug_id: other } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const id = debugId ?? other;
    return typeof id === 'string' && /^[0-9A-Fa-f-]{32,36}$/.test(id) ? id : null;
  } catch {
    // The server reports what is wrong with it.
    return null;
  }
}
