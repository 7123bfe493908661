import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createFlag, listFlags } from '#features/flags/contract/flags.ts';
import { readyz } from '#features/health/contract/health.ts';
import type { Writer } from './platform/database/database.ts';
import { startApp } from './testing/app.ts';
import { startProcess } from './testing/child-process.ts';
import { callRoute } from './testing/client.ts';
import { freshDatabase, openDatabase } from './testing/fresh-database.ts';
import { freePort } from './testing/free-port.ts';
import { addToken } from './testing/people.ts';
import { sendFiles } from './testing/upload.ts';

const flag = {
  type: 'string' as const,
  enabled: true,
  description: 'x'.repeat(500),
  defaultValue: 'y'.repeat(5_000),
  rules: [],
  tags: [],
};

/** Real for SQLite: no page more than the database has now. */
const noMorePages = (tx: Writer) => sql`pragma max_page_count = 1`.execute(tx);
const pagesAgain = (tx: Writer) => sql`pragma max_page_count = 1000000`.execute(tx);

describe('a full disk', () => {
  it('RUN-5: under SQLite refuses what adds with 503, names the cause once in the log, and goes on reading', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const accessToken = await addToken(app, { rights: ['FLAGS_READ', 'FLAGS_WRITE'] });
    const write = (key: string) => app.call(createFlag, { body: { ...flag, key } }, { accessToken });
    await app.database.transaction(noMorePages);

    let refused = await write('first');
    const acknowledged: string[] = [];
    for (let index = 0; refused.status === 201 && index < 200; index += 1) {
      acknowledged.push(index === 0 ? 'first' : `more-${index - 1}`);
      refused = await write(`more-${index}`);
    }
    expect(refused.problem).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(refused.headers.get('retry-after')).toBe('5');
    const logged = app.log.filter(({ requestId }) => requestId === refused.problem?.requestId);
    expect(logged.map(({ msg }) => msg)).toEqual(['the storage failed a request', 'request']);
    expect(JSON.stringify(logged)).toContain('database or disk is full');
    expect(JSON.stringify(app.log)).not.toContain('rollback');

    expect((await app.call(readyz, {})).status).toBe(200);
    const stored = (await app.call(listFlags, {}, { accessToken })).body.flags.map(({ key }) => key);
    expect(acknowledged.filter((key) => !stored.includes(key))).toEqual([]);
    await app.database.transaction(pagesAgain);
    expect((await write('afterwards')).status).toBe(201);
  });

  it('FILE-1: under the files refuses an upload with 503 and leaves nothing of it', async () => {
    const place = await freshDatabase('sqlite');
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const settings = { PORT: String(port), PUBLIC_URL: url, DATA_DIR: place.dataDir };
    // Room for a database with its log, and not for the upload.
    const server = startProcess('main.ts', [], settings, 'pipe', (6 * 1024 * 1024) / 512);
    await server.line(/"msg":"ready"/);
    const database = await openDatabase(place.location);
    const accessToken = await addToken({ database }, { rights: ['FLAGS_READ'] });
    await database.close();
    const large = { filename: 'large.bin', bytes: new Uint8Array(9 * 1024 * 1024) };
    const answer = await sendFiles({ url }, { accessToken }, [large]);
    expect(answer.problem).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(readdirSync(join(place.dataDir, 'files/tmp'))).toEqual([]);
    await server.line(/the storage failed a request/);
    expect((await callRoute(url, readyz, {})).status).toBe(200);
  });
});
