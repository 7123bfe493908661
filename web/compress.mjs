// Writes .br and .gz beside every built file that compresses, once, so that the server only reads them.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const assets = join(import.meta.dirname, 'dist/assets');
const compresses = /\.(?:js|css|svg|json)$/;
/** Below this a packet is a packet. */
const worthwhile = 1024;

await Promise.all(
  (await readdir(assets))
    .filter((file) => compresses.test(file))
    .map(async (file) => {
      const content = await readFile(join(assets, file));
      if (content.length < worthwhile) return;
      const [brotli, gzipped] = await Promise.all([
        promisify(brotliCompress)(content, {
          params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
        }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      await Promise.all([
        writeFile(join(assets, `${file}.br`), brotli),
        writeFile(join(assets, `${file}.gz`), gzipped),
      ]);
    }),
);
