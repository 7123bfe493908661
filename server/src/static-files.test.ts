import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { afterThisTest, freshDatabase } from './testing/fresh-database.ts';
import { serveStaticFiles } from './static-files.ts';

describe('the parts of the web', () => {
  it('RUN-2 LOOK-4: are sent compressed and kept for good, also those that came since the start, and no source maps', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const assets = join(dataDir, 'assets');
    mkdirSync(assets);
    const write = (name: string, text: string) => writeFileSync(join(assets, name), text);
    const web = fastify();
    afterThisTest(() => web.close());
    await serveStaticFiles(web, dataDir);
    const ask = async (name: string, method: 'GET' | 'HEAD' = 'GET') => {
      const { statusCode, headers, body } = await web.inject({
        method,
        url: `/assets/${name}`,
        headers: { 'accept-encoding': 'br' },
      });
      return { statusCode, encoding: headers['content-encoding'], cached: headers['cache-control'], body };
    };

    expect((await ask('a.js')).statusCode).toBe(404);
    write('a.js', 'long');
    write('a.js.br', 'short');
    write('a.js.map', 'sources');
    const part = { statusCode: 200, encoding: 'br', cached: 'public, max-age=31536000, immutable' };
    expect(await ask('a.js')).toEqual({ ...part, body: 'short' });
    expect(await ask('a.js', 'HEAD')).toEqual({ ...part, body: '' });
    write('b.js', 'later');
    expect(await ask('b.js')).toMatchObject({ statusCode: 200, encoding: undefined, body: 'later' });
    for (const name of ['a.js.map', 'A.js', 'c.js', '', '.', '%2e%2e%2fassets%2fa.js', 'assets/a.js'])
      expect({ name, ...(await ask(name)) }).toMatchObject({ name, statusCode: 404 });
  });
});
