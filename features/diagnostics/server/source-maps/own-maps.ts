import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceMapLimits } from '#features/diagnostics/contract/source-maps.ts';
import { targetBelow } from '#server/platform/http/base-path.ts';
import type { ReadableMap } from './tracer.ts';

/** The source maps of Portico's own web, which its build leaves next to the scripts. */
export type OwnMaps = {
  /** The map of a script by its path, or null. */
  find(path: string): Promise<ReadableMap | null>;
};

/**
 * @param webDir the built web; its maps are read from there, and never served
 * @param basePath before the paths of its scripts
 */
export function ownMaps(webDir: string, basePath: string): OwnMaps {
  return {
    async find(script) {
      const path = targetBelow(script, basePath) ?? '';
      if (!/^(?:\/[\w-][\w.-]*)+\.js$/.test(path)) return null;
      const file = join(webDir, `${path}.map`);
      const found = await stat(file).catch(() => null);
      if (found === null || !found.isFile() || found.size > sourceMapLimits.fileBytes) return null;
      return {
        key: `own ${path} ${found.mtimeMs}`,
        read: async () => new Uint8Array(await readFile(file)),
      };
    },
  };
}
