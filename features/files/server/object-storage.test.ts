import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBackup } from '#features/backup/server/make-backup.ts';
import { uploadMap } from '#server/testing/source-map.ts';
import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { getReport } from '#features/feedback/contract/inbox.ts';
import { deleteFile } from '#features/files/contract/files.ts';
import { readyz } from '#features/health/contract/health.ts';
import { scrape } from '#features/metrics/server/testing/scrape.ts';
import { getOverview } from '#features/overview/contract/overview.ts';
import { createObjectStore } from '#server/platform/object-store/object-store.ts';
import { systemClock } from '#server/platform/time/clock.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { startProcess } from '#server/testing/child-process.ts';
import { engines, freshDatabase } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { startObjectStore } from '#server/testing/object-store-server.ts';
import { pngFile } from '#server/testing/png.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { readFiles, storeFiles } from '#server/testing/stored-files.ts';
import { sendFiles, upload } from '#server/testing/upload.ts';

const hour = 3_600_000;
const picture = pngFile({ width: 3, height: 2 });
const attachments = [{ data: picture.toString('base64'), filename: 'a.png', contentType: 'image/png' }];
const token = 'a-token-for-the-metrics-0123456789abcdef';

let server: Awaited<ReturnType<typeof startObjectStore>>;
beforeEach(async () => {
  server = await startObjectStore();
});
afterEach(() => server.stop());

async function inStore(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of createObjectStore(server.location).list()) names.push(name);
  return names;
}

/** How the environment names the store. */
function environment(): Record<string, string> {
  const { bucket, prefix, endpoint, region, accessKey, secretKey } = server.location;
  const url = `s3://${bucket}/${prefix.slice(0, -1)}?endpoint=${encodeURIComponent(endpoint)}&region=${region}`;
  return { FILES_URL: url, S3_ACCESS_KEY_ID: accessKey, S3_SECRET_ACCESS_KEY: secretKey };
}

async function fetchBytes({ url }: TestApp, { accessToken }: SignedIn, path: string) {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${accessToken}` } });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe.each(engines)('object storage on %s', (engine) => {
  it('STORE-2: has files, pictures of reports and source maps, until they or their owner are deleted', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock, config: { files: server.location } });
    const operator = await signIn(app, { roles: ['operator'] });
    const ada = await signIn(app, { roles: ['member'] });
    const bytes = randomBytes(40_000);
    const [first, second] = await upload(app, ada, [
      { filename: 'a.bin', bytes },
      { filename: 'b.txt', bytes: 'of b' },
    ]);
    const sent = await ada.call(saveFeedback, { body: { message: 'Look', attachments } });
    expect((await uploadMap(app.url, operator.accessToken)).status).toBe(201);
    await app.sweep();
    expect(await inStore()).toHaveLength(4);
    expect(await fetchBytes(app, ada, first?.url ?? '')).toEqual({ status: 200, bytes });
    const shown = await operator.call(getReport, { params: { reportId: sent.body.id } });
    const { url = '' } = shown.body.attachments[0] ?? {};
    expect((await fetchBytes(app, operator, url)).bytes.equals(picture)).toBe(true);

    await ada.call(deleteFile, { params: { fileId: second?.id ?? '' } });
    clock.move(2 * hour);
    await app.sweep();
    expect(await inStore()).toHaveLength(3);
    const eraser = await signIn(app, { roles: ['operator'] });
    const erased = await eraser.call(erasePerson, {
      params: { personId: ada.id },
      body: { confirmation: ada.email, reports: 'keep' },
    });
    expect(erased.status).toBe(200);
    await app.sweep();
    // The source map is not hers.
    expect(await inStore()).toHaveLength(1);
  });

  it('STORE-3: while it is away reports are stored, their pictures wait across a restart, uploads fail with a code, and operators are told', async () => {
    const config = { files: server.location, metrics: { port: null, host: '127.0.0.1', token } };
    const app = await startApp({ engine, config });
    const operator = await signIn(app, { roles: ['operator'] });
    const resume = await server.pause();
    const sent = await operator.call(saveFeedback, { body: { message: 'Look', attachments } });
    expect(sent.status).toBe(201);
    const refused = await sendFiles(app, operator, [{ filename: 'a.txt', bytes: 'some' }]);
    expect([refused.status, refused.problem?.code]).toEqual([503, 'FILES_UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).toBe('5');
    await app.sweep();
    expect((await app.call(readyz, {})).status).toBe(200);
    const attention = async (by: SignedIn) =>
      (await by.call(getOverview, {})).body.attention.filter(({ kind }) => kind === 'files-store');
    expect(await attention(operator)).toEqual([
      { kind: 'files-store', since: expect.any(Number), waiting: 1 },
    ]);
    const metrics = await scrape(app.url, token);
    expect(metrics.find(({ name }) => name === 'portico_files_waiting')?.value).toBe(1);
    const shown = await operator.call(getReport, { params: { reportId: sent.body.id } });
    const { url = '' } = shown.body.attachments[0] ?? {};
    expect((await fetchBytes(app, operator, url)).bytes.equals(picture)).toBe(true);

    await app.stop();
    server = await resume();
    const again = await startApp({ after: app });
    await expect.poll(inStore).toHaveLength(1);
    await again.sweep();
    const back = await signIn(again, { roles: ['operator'] });
    expect(await attention(back)).toEqual([]);
    expect((await fetchBytes(again, back, url)).bytes.equals(picture)).toBe(true);
    await createObjectStore(server.location).put(
      (await inStore())[0] ?? '',
      Readable.from([Buffer.alloc(picture.length)]),
    );
    expect((await fetchBytes(again, back, url)).status).toBe(503);
  });
});

describe('portico files move', () => {
  it('STORE-4: killed half-way it goes on, while a server reads every file', async () => {
    const place = await freshDatabase('sqlite');
    const files = await storeFiles(place, { word: 'moved', count: 200 });
    const app = await startApp({ on: place, config: { files: server.location } });
    const variables = { DATA_DIR: place.dataDir, ...environment() };
    const move = (to: string) => startProcess('cli.ts', ['files', 'move', '--to', to, '--json'], variables);
    const killed = move('store');
    await expect.poll(async () => (await inStore()).length, { interval: 5 }).toBeGreaterThan(5);
    await killed.kill();
    expect((await inStore()).length).toBeLessThan(200);
    const all = async () => {
      const found = await readFiles(app.database, place.dataDir, files, server.location);
      return files.filter(({ id, bytes }) => !bytes.equals(Buffer.from(found.get(id) ?? ''))).length;
    };
    expect(await all()).toBe(0);
    const outcome = async () => {
      const again = move('store');
      return [await again.ended, again.errors];
    };
    // While the store still writes what the killed one had sent last, it refuses, and asks to repeat it.
    await expect.poll(outcome).toEqual([0, []]);
    await expect.poll(inStore).toHaveLength(200);
    expect(await all()).toBe(0);
    const back = move('local');
    expect([await back.ended, JSON.parse(back.lines.join(''))]).toEqual([
      0,
      { to: 'local', moved: 200, bytes: 200_000, faults: [] },
    ]);
    expect(await inStore()).toEqual([]);
    expect(await all()).toBe(0);
  });

  it('STORE-4: names what is missing: the store, or the place', async () => {
    const place = await freshDatabase('sqlite');
    const run = async (args: string[], variables: Record<string, string>) => {
      const child = startProcess('cli.ts', ['files', 'move', ...args], {
        DATA_DIR: place.dataDir,
        ...variables,
      });
      return [await child.ended, (await child.closed, child.errors[0])];
    };
    expect(await run(['--to', 'moon'], environment())).toEqual([2, '--to is store or local.']);
    expect(await run(['--to', 'store'], {})).toEqual([1, 'FILES_URL names no object store.']);
    await storeFiles(place, { word: 'x', count: 1 });
    expect(await run(['--to', 'store'], environment())).toEqual([
      1,
      'The server was not started with this FILES_URL. Set it there, and restart it first.',
    ]);
    expect(await inStore()).toEqual([]);
    await startApp({ on: place, config: { files: server.location } });
    const resume = await server.pause();
    expect(await run(['--to', 'store'], environment())).toEqual([
      1,
      'The store cannot be reached (ECONNREFUSED). What was moved stays moved; repeat it to go on.',
    ]);
    server = await resume();
  });
});

describe('backups of files in an object store', () => {
  it('STORE-6: are whole, need the store, and are restored to where FILES_URL says', async () => {
    const place = await freshDatabase('sqlite');
    const files = await storeFiles(place, { word: 'kept', count: 5 });
    const before = await startApp({ on: place, config: { files: server.location } });
    await before.stop();
    const portico = (dataDir: string, ...args: string[]) =>
      startProcess('cli.ts', args, { DATA_DIR: dataDir, ...environment() }).ended;
    expect(await portico(place.dataDir, 'files', 'move', '--to', 'store')).toBe(0);
    const folder = (await freshDatabase('sqlite', 'nothing')).dataDir;
    const backup = (name: string) =>
      makeBackup({
        dataDir: place.dataDir,
        objectStore: server.location,
        to: `${folder}-${name}`,
        version: '0.0.0',
        now: systemClock.now,
        progress: () => {},
      });
    const { manifest, folder: whole } = await backup('whole');
    expect([manifest.contents.length, manifest.missing]).toEqual([5, []]);
    await createObjectStore(server.location).put(
      `files/${files[0]?.hash}`,
      Readable.from([Buffer.alloc(1_000)]),
    );
    expect((await backup('altered')).manifest.missing).toEqual([files[0]?.hash]);
    const resume = await server.pause();
    await expect(backup('away')).rejects.toThrow(
      'cannot be read from FILES_URL: The store cannot be reached',
    );
    server = await resume();

    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const store = createObjectStore(server.location);
    for (const name of await inStore()) await store.delete(name);
    expect(await portico(dataDir, 'restore', '--from', whole)).toBe(0);
    const restored = { ...place, dataDir, location: { engine: 'sqlite', dataDir } } as const;
    const app = await startApp({ on: { ...restored, engine: 'sqlite' }, config: { files: server.location } });
    await expect.poll(inStore).toHaveLength(5);
    const found = await readFiles(app.database, dataDir, files, server.location);
    expect(files.map(({ id }) => found.get(id))).toEqual(files.map(({ bytes }) => bytes));
  });
});
