import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compresses = /^assets\/.*\.(?:js|css|svg|json)$/;
/** Bytes; below this compression gains nothing. */
const worthwhile = 128;

/**
 * Writes .br and .gz next to every built asset, so that the server only reads them. A development build has
 * none: compressing takes several times as long as the build.
 */
export function precompress(): Plugin {
  return {
    name: 'portico:precompress',
    apply: (_config, { command }) => command === 'build' && process.env['NODE_ENV'] !== 'development',
    async writeBundle({ dir = '' }, bundle) {
      const work = Object.values(bundle).map(async (built) => {
        const content = Buffer.from(built.type === 'chunk' ? built.code : built.source);
        if (!compresses.test(built.fileName) || content.length < worthwhile) return;
        const file = join(dir, built.fileName);
        await writeFile(`${file}.br`, await smallestBrotli(content));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      });
      await Promise.all(work);
    },
  };
}

/** Tries several modes, since the mode that compresses best differs from file to file. */
async function smallestBrotli(content: Buffer): Promise<Buffer> {
  const tries = [0, 1, 2, 3].map((postfix) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  );
  return (await Promise.all(tries)).reduce((best, next) => (next.length < best.length ? next : best));
}
