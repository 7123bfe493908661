import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A source map in a folder, and the script that it explains. */
export type FoundMap = {
  /** Path of the map's file. */
  path: string;
  /** Path of the script below the folder, such as `/assets/main-1a2b.js`. */
  script: string;
  bytes: number;
  /** The id that the build wrote into the script or the map to match the two; null where it wrote none. */
  debugId: string | null;
};

/**
 * A debug id in a script: the comment that bundlers write (tc39/ecma426, "Debug IDs"), and what Sentry's bundler
 * plugins write where they leave the comment out.
 */
const inScript = [
  /^\/\/# debugId=([0-9a-f-]{32,36})\s*$/im,
  /\bsentry-dbid-([0-9a-f-]{32,36})\b/i,
  /\b_sentryDebugIds\[[\w$]{1,40}\]\s?=\s?["'`]([0-9a-f-]{32,36})["'`]/i,
];

/** The source maps next to the scripts of a folder and the folders in it, by path. Throws where it cannot be read. */
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

async function debugIdInScript(path: string): Promise<string | null> {
  const script = await readFile(path, 'utf8').catch(() => '');
  for (const pattern of inScript) {
    const id = pattern.exec(script)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

async function debugIdInMap(path: string): Promise<string | null> {
  try {
    const { debugId, debug_id: other } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const id = debugId ?? other;
    return typeof id === 'string' && /^[0-9A-Fa-f-]{32,36}$/.test(id) ? id : null;
  } catch {
    // The server reports what is wrong with the map.
    return null;
  }
}
