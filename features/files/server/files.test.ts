import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deleteFile, fileLimits, getFile, uploadFiles } from '#features/files/contract/files.ts';
import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, oneEngine, provedOn } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import { openSocket, sendRaw } from '#server/testing/raw-request.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';
import { sendFiles, upload } from '#server/testing/upload.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { addFile } from './files.store.ts';
import { openHandles } from '#server/testing/stored-files.ts';

type Bearer = { accessToken: string };

const mebibyte = 1024 * 1024;
const outcome = ({ status, problem }: { status: number; problem: { code: string } | null }) =>
  `${status} ${problem?.code ?? ''}`.trim();

/** A file as a browser gets it. */
async function fetchFile(
  { url }: TestApp,
  { accessToken }: Bearer,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const rowsOf = ({ database }: TestApp) => database.read.selectFrom('file').selectAll().execute();

/** The hashes of what is stored, named or not. */
async function contents({ database, place }: TestApp): Promise<string[]> {
  if (database.engine === 'postgres') {
    const rows = await database.read.selectFrom('file_chunk').select('hash').distinct().execute();
    return rows.map(({ hash }) => hash);
  }
  const folder = join(place.dataDir, 'files');
  const homes = existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'tmp') : [];
  return homes.flatMap((home) => readdirSync(join(folder, home)));
}

const temporary = ({ place }: TestApp) => {
  const folder = join(place.dataDir, 'files', 'tmp');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const failures = ({ log }: TestApp) => log.filter((line) => line.level >= 50);

/** The beginning of a request with a form whose one file has so many bytes, without the end of it. */
function formHead({ accessToken }: Bearer, bytes: number): string {
  const head = '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n';
  return [
    `POST ${uploadFiles.path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${accessToken}`,
    `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${bytes + head.length}\r\n\r\n${head}`,
  ].join('\r\n');
}

async function setAvatar(person: SignedIn, by: SignedIn, avatar: string | null): Promise<void> {
  const { version } = (await by.call(getProfile, { params: { userId: person.id } })).body;
  const texts = { firstName: '', lastName: '', phone: '', organisation: '', jobTitle: '' };
  const body = { ...texts, locale: null, timeZone: null, avatar, version };
  const { status } = await by.call(updateProfile, { params: { userId: person.id }, body });
  expect(status).toBe(200);
}

/** A signed-in person, who may upload. */
const uploader = async (app: TestApp, clock?: Clock): Promise<Bearer> => ({
  accessToken: await addToken(app, { rights: [], lifetimeMs: 100 * 3_600_000, ...(clock && { clock }) }),
});

describe.each(engines)('files on %s', (engine) => {
  const once = provedOn(engine);
  it('FILE-1: several are stored in order and returned to their owner, byte for byte', async () => {
    const app = await startApp({ engine });
    const ada = await signIn(app);
    // Random bytes alone are at times the beginning of a file of a known kind, such as "MZ".
    const large = Buffer.concat([Buffer.alloc(16, 1), randomBytes(3 * mebibyte)]);
    const sent = [
      { filename: 'Größe.txt', bytes: 'Grüße', contentType: 'text/html' },
      { filename: 'photo.PNG', bytes: pictureFile('png', 30, 20) },
      { filename: 'large.bin', bytes: large },
    ];
    const stored = await sendFiles(app, ada, sent);
    expect(stored.status).toBe(201);
    expect(stored.files).toEqual([
      {
        id: expect.any(String),
        filename: 'Größe.txt',
        contentType: 'text/plain',
        size: 7,
        url: expect.any(String),
      },
      expect.objectContaining({ filename: 'photo.PNG', contentType: 'image/png' }),
      expect.objectContaining({ contentType: 'application/octet-stream', size: large.length }),
    ]);
    for (const [index, { id, url }] of stored.files.entries()) {
      expect(url).toBe(`/v1/files/${id}`);
      const { status, bytes, headers } = await fetchFile(app, ada, url);
      expect(status).toBe(200);
      expect(bytes.equals(Buffer.from(sent[index]?.bytes ?? ''))).toBe(true);
      expect(Number(headers.get('content-length'))).toBe(bytes.length);
    }
    expect(temporary(app)).toEqual([]);
    expect(await rowsOf(app)).toContainEqual(
      expect.objectContaining({ owner: ada.id, width: 30, height: 20 }),
    );
  });

  it('FILE-1: the picture of a person is read by those who may read people, as long as it is theirs', async () => {
    const app = await startApp({ engine });
    const [ada, operator, member] = [
      await signIn(app),
      await signIn(app, { roles: ['operator'] }),
      await signIn(app, { roles: ['member'] }),
    ];
    const [picture] = await upload(app, ada, [{ filename: 'a.png', bytes: pictureFile('png', 9, 9) }]);
    const { url = '', id = '' } = picture ?? {};
    const statuses = async () =>
      Promise.all([ada, operator, member].map(async (by) => (await fetchFile(app, by, url)).status));
    expect(await statuses()).toEqual([200, 404, 404]);
    await setAvatar(ada, ada, id);
    expect(await statuses()).toEqual([200, 200, 404]);
    expect(outcome(await ada.call(deleteFile, { params: { fileId: id } }))).toBe('409 FILE_IN_USE');
    expect(outcome(await operator.call(deleteFile, { params: { fileId: id } }))).toBe('404 NOT_FOUND');
    expect(await statuses()).toEqual([200, 200, 404]);

    // One that an operator gave is theirs to see all the same.
    const [given] = await upload(app, operator, [{ filename: 'b.png', bytes: pictureFile('png', 8, 8) }]);
    await setAvatar(member, operator, given?.id ?? '');
    expect((await fetchFile(app, member, given?.url ?? '')).status).toBe(200);
    expect((await fetchFile(app, ada, given?.url ?? '')).status).toBe(404);
  });

  it('FILE-1: one is removed by its owner, its bytes some time after the last one that has them', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const token = await uploader(app, clock);
    const [one, other] = await upload(app, token, [
      { filename: 'a', bytes: 'the same' },
      { filename: 'b', bytes: 'the same' },
    ]);
    expect(await contents(app)).toHaveLength(1);
    const remove = (fileId = '') => app.call(deleteFile, { params: { fileId } }, token);
    expect(outcome(await remove(one?.id))).toBe('204');
    expect(outcome(await remove(one?.id))).toBe('404 NOT_FOUND');
    expect((await fetchFile(app, token, one?.url ?? '')).status).toBe(404);
    clock.move(2 * 3_600_000);
    await app.sweep();
    expect((await fetchFile(app, token, other?.url ?? '')).bytes.toString()).toBe('the same');
    expect(outcome(await remove(other?.id))).toBe('204');
    await app.sweep();
    expect(await contents(app)).toEqual([]);
  });

  it.each(once)('FILE-1: all of an upload or nothing of it', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const ada = await uploader(app, clock);
    const text = { filename: 'a', bytes: 'a text' };
    const at = async (files: readonly { filename: string; bytes: Buffer<ArrayBuffer> | string }[]) => {
      const sent = await sendFiles(app, ada, files);
      return [
        outcome(sent),
        ...(sent.problem?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
      ];
    };
    const bytes = (length: number) => Buffer.alloc(length, 1);
    expect(await at([text, text, { ...text, bytes: '' }])).toEqual([
      '422 INVALID_BODY',
      '/files/2 too_small',
    ]);
    expect(await at([])).toEqual(['422 INVALID_BODY', '/files required']);
    expect(await at(Array.from({ length: 11 }, () => text))).toEqual(['422 INVALID_BODY', '/files too_big']);
    expect(await at([text, { ...text, bytes: bytes(fileLimits.fileBytes + 1) }])).toEqual([
      '413 TOO_LARGE',
      '/files/1 too_big',
    ]);
    const most = { ...text, bytes: bytes(fileLimits.fileBytes) };
    const rest = (more: number) => ({
      ...text,
      bytes: bytes(fileLimits.uploadBytes - 2 * fileLimits.fileBytes + more),
    });
    expect(await at([most, most, rest(1)])).toEqual(['413 TOO_LARGE', '/files/2 too_big']);
    expect(await at([most, most, most])).toEqual(['413 TOO_LARGE']);
    for (const [width, height] of [
      [16_385, 10],
      [10, 16_385],
      [10_000, 5_001],
    ] as const) {
      const picture = { ...text, bytes: pictureFile('png', width, height) };
      expect(await at([text, picture])).toEqual(['422 INVALID_BODY', '/files/1 too_big']);
    }
    expect(await rowsOf(app)).toEqual([]);
    expect(temporary(app)).toEqual([]);
    clock.move(2 * 3_600_000);
    await app.sweep();
    expect(await contents(app)).toEqual([]);
    expect(failures(app)).toEqual([]);

    const ten = Array.from({ length: 10 }, (_, index) => ({ filename: 'a', bytes: `text ${index}` }));
    expect(await upload(app, ada, ten)).toHaveLength(10);
    expect(await upload(app, ada, [most, most, rest(0)])).toHaveLength(3);
  });

  it('FILE-1: the bytes of uploads have a bound in time, so that what is refused or removed again does not fill the disk', async () => {
    const app = await startApp({ engine, config: { rateLimitScale: 1 }, clock: movableClock() });
    const [ada, bob] = [await signIn(app), await signIn(app)];
    /** One of unknown length may have as many bytes as an upload can. */
    const sendChunked = async () => {
      const text = '--x\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n\r\n--x--\r\n';
      const response = await fetch(app.url + uploadFiles.path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ada.accessToken}`,
          'content-type': 'multipart/form-data; boundary=x',
        },
        body: new Blob([text]).stream(),
        duplex: 'half',
      });
      return ((await response.json()) as { code: string }).code;
    };
    const codes = [];
    for (let time = 0; time < 20; time += 1) codes.push(await sendChunked());
    expect([codes[0], codes[18], codes[19]]).toEqual(['INVALID_BODY', 'INVALID_BODY', 'TOO_MANY_REQUESTS']);
    expect(outcome(await sendFiles(app, ada, [{ filename: 'a', bytes: 'a text' }]))).toBe('201');
    expect(outcome(await sendFiles(app, bob, [{ filename: 'a', bytes: 'a text' }]))).toBe('201');
  });

  it('FILE-1: a person has so much room and no more, also with two uploads at once', async () => {
    const app = await startApp({ engine });
    const ada = await signIn(app);
    const fill = (size: number) =>
      app.database.transaction((tx) =>
        addFile(tx, {
          owner: ada.id,
          filename: 'a',
          contentType: 'text/plain',
          width: null,
          height: null,
          hash: 'none',
          size,
          at: 1,
        }),
      );
    await fill(fileLimits.ownerBytes - 1_000);
    const sent = await Promise.all(
      ['a', 'b', 'c'].map((filename) => sendFiles(app, ada, [{ filename, bytes: filename.repeat(600) }])),
    );
    expect(sent.map(outcome).toSorted()).toEqual(['201', '413 STORAGE_FULL', '413 STORAGE_FULL']);
    expect(await rowsOf(app)).toHaveLength(2);
    const other = await signIn(app);
    expect(await upload(app, other, [{ filename: 'a', bytes: 'a'.repeat(600) }])).toHaveLength(1);
    await fill(400);
    // Refused before anything of it is read.
    const { status } = await sendRaw(app.config.port, formHead(ada, 1_000_000));
    expect(status).toBe(413);
  });

  it('FILE-1: the same bytes at once from two people are stored once and are a file of each', async () => {
    const app = await startApp({ engine });
    const people = [await signIn(app), await signIn(app)];
    const bytes = Buffer.from(randomBytes(700_000));
    const files = await Promise.all(
      people.flatMap((by) => [
        upload(app, by, [{ filename: 'a', bytes }]),
        upload(app, by, [{ filename: 'b', bytes }]),
      ]),
    );
    expect(await contents(app)).toEqual([createHash('sha256').update(bytes).digest('hex')]);
    for (const [index, [file]] of files.entries()) {
      const [owner, other] = index < 2 ? people : people.toReversed();
      const own = await fetchFile(app, owner as SignedIn, file?.url ?? '');
      expect(own.bytes.equals(bytes)).toBe(true);
      expect((await fetchFile(app, other as SignedIn, file?.url ?? '')).status).toBe(404);
    }
  });

  it.each(once)('FILE-1: an upload that is aborted, or declared too large, leaves nothing', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const socket = openSocket(app.config.port);
    socket.write(formHead(ada, 5_000_000));
    socket.write(Buffer.alloc(1_000_000));
    await expect.poll(() => temporary(app).length).toBe(1);
    socket.destroy();
    await expect.poll(() => temporary(app)).toEqual([]);
    const { status } = await sendRaw(app.config.port, formHead(ada, 100 * mebibyte));
    expect(status).toBe(413);
    expect([await rowsOf(app), await contents(app), openHandles(app), failures(app)]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it.each(once)('FILE-1: a download that is given up holds nothing', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const [file] = await upload(app, ada, [{ filename: 'a', bytes: Buffer.alloc(10 * mebibyte) }]);
    for (let time = 0; time < 3; time += 1) {
      const socket = openSocket(app.config.port);
      const begun = new Promise((data) => void socket.once('data', data));
      socket.write(
        `GET ${file?.url} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.accessToken}\r\n\r\n`,
      );
      await begun;
      socket.destroy();
    }
    await expect.poll(() => openHandles(app)).toEqual([]);
    expect((await fetchFile(app, ada, file?.url ?? '')).bytes).toHaveLength(10 * mebibyte);
    expect(failures(app)).toEqual([]);
  });

  it.each(once)('FILE-1: bytes that are gone are a failure that is reported and logged', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const [file] = await upload(app, ada, [{ filename: 'a', bytes: 'a text' }]);
    if (engine === 'sqlite') rmSync(join(app.place.dataDir, 'files'), { recursive: true });
    else await app.database.transaction((tx) => tx.deleteFrom('file_chunk').execute());
    const answer = await app.call(getFile, { params: { fileId: file?.id ?? '' } }, ada);
    expect(outcome(answer)).toBe('500 INTERNAL');
    expect(failures(app)).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: expect.stringContaining('gone') }) }),
    ]);
  });

  it.each(once)('START-4: they are there after a restart', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const [file] = await upload(app, ada, [{ filename: 'a', bytes: 'a text' }]);
    await app.stop();
    const again = await startApp({ after: app });
    expect((await fetchFile(again, ada, file?.url ?? '')).bytes.toString()).toBe('a text');
  });
});

describe.each(oneEngine)('what is said about files, on %s', (engine) => {
  it('FILE-1: they are shown only where they are pictures, and carry nothing into the page', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const [picture, page, drawing] = await upload(app, ada, [
      { filename: 'März "1".png', bytes: pictureFile('png', 2, 2) },
      { filename: 'a.png', bytes: '<!doctype html><script>alert(1)</script>', contentType: 'image/png' },
      { filename: 'a.svg', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>', contentType: 'image/png' },
    ]);
    const { headers } = await fetchFile(app, ada, picture?.url ?? '');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="M_rz _1_.png"; filename*=UTF-8''M%C3%A4rz%20_1_.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const file of [page, drawing]) {
      const answer = await fetchFile(app, ada, file?.url ?? '');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(answer.headers.get('content-type')).not.toMatch(/html|image\/png/);
    }
  });

  it('FILE-1: a HEAD answers all but the bytes, and what is known already is not sent again', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const [file] = await upload(app, ada, [{ filename: 'a', bytes: 'a text' }]);
    const url = file?.url ?? '';
    const whole = await fetchFile(app, ada, url);
    const head = await fetchFile(app, ada, url, { method: 'HEAD' });
    const headersOf = ({ headers }: { headers: Headers }) =>
      Object.fromEntries([...headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)));
    expect([head.status, head.bytes.length, headersOf(head)]).toEqual([200, 0, headersOf(whole)]);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const method of ['GET', 'HEAD']) {
      const again = await fetchFile(app, ada, url, { method, headers: { 'if-none-match': etag } });
      expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag]);
    }
    expect((await fetchFile(app, ada, url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    await expect.poll(() => openHandles(app)).toEqual([]);
  });

  it('FILE-1: no one else learns even that there is one', async () => {
    const app = await startApp({ engine });
    const [ada, operator] = [await signIn(app), await signIn(app, { roles: ['operator'] })];
    const token = { accessToken: await addToken(app, { rights: ['PEOPLE_READ', 'PEOPLE_WRITE'] }) };
    const [file] = await upload(app, ada, [{ filename: 'a', bytes: 'a text' }]);
    const fileId = file?.id ?? '';
    for (const by of [operator, token]) {
      for (const route of [getFile, deleteFile]) {
        const [theirs, nobodys] = [
          await app.call(route, { params: { fileId } }, { accessToken: by.accessToken }),
          await app.call(route, { params: { fileId: 'no-file' } }, { accessToken: by.accessToken }),
        ];
        expect(outcome(theirs)).toBe('404 NOT_FOUND');
        expect({ ...theirs.problem, requestId: '' }).toEqual({ ...nobodys.problem, requestId: '' });
        expect(theirs.headers.get('etag')).toBeNull();
      }
    }
    expect(outcome(await app.call(getFile, { params: { fileId } }))).toBe('401 UNAUTHENTICATED');
    expect(await rowsOf(app)).toHaveLength(1);
    const [own] = await upload(app, token, [{ filename: 'a', bytes: 'of a script' }]);
    expect((await fetchFile(app, token, own?.url ?? '')).bytes.toString()).toBe('of a script');
  });

  it('API-1: a form that is broken, or something else, is refused for what it is', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const send = async (body: string, contentType = 'multipart/form-data; boundary=b') => {
      const response = await fetch(app.url + uploadFiles.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': contentType },
        body,
      });
      return `${response.status} ${((await response.json()) as { code: string }).code}`;
    };
    const part = (disposition: string) =>
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nx\r\n`;
    const good = part('name="files"; filename="a"');
    expect(await send(`${good}--b--\r\n`, 'multipart/form-data')).toBe('400 INVALID_REQUEST');
    for (const cut of ['', '--b', good.slice(0, 20), good, `${good}--b\r\nContent-`])
      expect([cut, await send(cut)]).toEqual([cut, '400 INVALID_REQUEST']);
    for (const wrong of [
      'name="file"; filename="a"',
      'filename="a"',
      'name="files"',
      'name="files[]"; filename="a"',
    ])
      expect([wrong, await send(`${good}${part(wrong)}--b--\r\n`)]).toEqual([wrong, '422 INVALID_BODY']);
    expect(await send('{}', 'application/json')).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await send('a=b', 'application/x-www-form-urlencoded')).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect([await rowsOf(app), temporary(app), failures(app)]).toEqual([[], [], []]);
  });

  it('FILE-1: the name is made harmless', async () => {
    const app = await startApp({ engine });
    const ada = await uploader(app);
    const [file] = await upload(app, ada, [{ filename: '../../x', bytes: 'a text' }]);
    expect(file?.filename).toBe('x');
  });

  it('API-2: a person uploads so often and no more', async () => {
    const app = await startApp({ engine, clock: movableClock(), config: { rateLimitScale: 1 } });
    const [ada, bob] = [await uploader(app), await uploader(app)];
    const once = (by: Bearer) => sendFiles(app, by, [{ filename: 'a', bytes: 'a' }]);
    for (let time = 0; time < 30; time += 1) expect((await once(ada)).status).toBe(201);
    const refused = await once(ada);
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual(['429 TOO_MANY_REQUESTS', '2']);
    expect((await once(bob)).status).toBe(201);
  });
});

describe('files of two replicas', () => {
  it('RUN-1: what one takes the other gives, and removes', async () => {
    const app = await startApp({ engine: 'postgres' });
    const other = await startApp({ replicaOf: app });
    const ada = await uploader(app);
    const bytes = Buffer.from(randomBytes(600_000));
    const [file] = await upload(app, ada, [{ filename: 'a', bytes }]);
    expect((await fetchFile(other, ada, file?.url ?? '')).bytes.equals(bytes)).toBe(true);
    const removed = await other.call(deleteFile, { params: { fileId: file?.id ?? '' } }, ada);
    expect(removed.status).toBe(204);
    expect((await fetchFile(app, ada, file?.url ?? '')).status).toBe(404);
  });
});
