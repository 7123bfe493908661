import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compresses = /^assets\/.*\.(?:js|css|svg|json)$/;
/** Bytes; below this both forms fit into one packet. */
const worthwhile = 1024;

/** Writes .br and .gz beside every built asset, once, so that the server only reads them. */
export function precompress(): Plugin {
  return {
    name: 'portico:precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const work = Object.values(bundle).map(async (built) => {
        const content = Buffer.from(built.type === 'chunk' ? built.code : built.source);
        if (!compresses.test(built.fileName) || content.length < worthwhile) return;
        const file = join(dir, built.fileName);
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      });
      await Promise.all(work);
    },
  };
}
