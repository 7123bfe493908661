import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { problem, type ProblemCode } from '#contract/problem.ts';
import { route } from '#contract/route.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { sendRaw } from '../../testing/raw-request.ts';

const readBook = route({
  method: 'GET',
  path: '/v1/books/:book',
  summary: 'A book',
  access: 'public',
  params: z.object({ book: z.string() }),
  answer: z.object({ book: z.string() }),
});
const writeBook = route({
  method: 'PUT',
  path: '/v1/books/:book',
  summary: 'Writes a book',
  access: 'public',
  params: z.object({ book: z.string() }),
  body: z.strictObject({ title: z.string() }),
  bodyLimit: 1000,
  answer: 'nothing',
});
const breakDown = route({
  method: 'GET',
  path: '/v1/breakdown',
  summary: 'Has a mistake in it',
  access: 'public',
  answer: z.object({ pages: z.number() }),
});
const readShelf = route({
  method: 'GET',
  path: '/sub/:clientKey',
  summary: 'The wire of others',
  access: 'client-key',
  params: z.object({ clientKey: z.string().check(z.maxLength(10)) }),
  answer: { raw: 'application/json' },
});

const library = (mistake: () => { pages: number } = () => ({ pages: 1 })): Promise<TestServer> =>
  startTestServer((serve) => {
    serve(readBook, ({ params }) => params);
    serve(writeBook, () => undefined);
    serve(breakDown, mistake);
    serve(readShelf, ({ reply }) => void reply.send({}));
  });

async function problemOf(response: Response): Promise<{ status: number; code: string }> {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { status, code } = problem.parse(await response.json());
  expect(status).toBe(response.status);
  return { status, code };
}

const requests = (testServer: TestServer) => testServer.log.filter((line) => line.msg === 'request');

const put = (testServer: TestServer, body: string | Uint8Array<ArrayBuffer> | null, type?: string) =>
  fetch(`${testServer.url}/v1/books/one`, {
    method: 'PUT',
    body,
    headers: type === undefined ? {} : { 'content-type': type },
  });

describe('an answer to a bad request', () => {
  it('API-1: is 404 for an unknown path', async () => {
    const testServer = await library();
    for (const path of [
      '/nowhere',
      '/v1/books',
      '/v1/books/one/',
      '/v1/books/one/two',
      '/V1/books/one',
      '//v1/books/one',
    ]) {
      expect(await problemOf(await fetch(testServer.url + path))).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
  });

  it('API-1: is 405 for a wrong method, and lists the right ones', async () => {
    const testServer = await library();
    for (const method of ['POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await fetch(`${testServer.url}/v1/books/one?x=1`, { method });
      expect(response.headers.get('allow')).toBe('GET, PUT');
      expect(await problemOf(response)).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    }
    const report = await sendRaw(
      testServer.port,
      'REPORT /v1/books/one HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(report.status).toBe(405);
  });

  it.each<
    [
      what: string,
      body: string | Uint8Array<ArrayBuffer> | null,
      type: string | undefined,
      status: number,
      code: ProblemCode,
    ]
  >([
    ['text that is not JSON', 'title: one', 'application/json', 400, 'BAD_JSON'],
    ['JSON that breaks off', '{"title":"o', 'application/json', 400, 'BAD_JSON'],
    ['JSON with a second value', '{"title":"one"} {}', 'application/json', 400, 'BAD_JSON'],
    [
      'bytes that are not UTF-8',
      new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
      'application/json',
      400,
      'BAD_JSON',
    ],
    [
      'a key that would reach the prototype',
      '{"__proto__":{"x":1},"title":"one"}',
      'application/json',
      400,
      'BAD_JSON',
    ],
    [
      'a constructor that would',
      '{"constructor":{"prototype":{"x":1}},"title":"one"}',
      'application/json',
      400,
      'BAD_JSON',
    ],
    ['a name that is there twice', '{"title":"one","title":"two"}', 'application/json', 422, 'INVALID_BODY'],
    ['an empty body declared as JSON', '', 'application/json', 400, 'BAD_JSON'],
    [
      'bytes of which as many are replaced as there are',
      new Uint8Array([...Buffer.from('{"title":"'), 0xf0, 0x90, 0x80, ...Buffer.from('"}')]),
      'application/json',
      400,
      'BAD_JSON',
    ],
    ['nesting without end', '['.repeat(900), 'application/json', 400, 'BAD_JSON'],
    ['no body at all', null, undefined, 422, 'INVALID_BODY'],
    ['null', 'null', 'application/json', 422, 'INVALID_BODY'],
    ['a list', '[]', 'application/json', 422, 'INVALID_BODY'],
    ['plain text', '{"title":"one"}', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', 'title=one', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form with files', '--x--', 'multipart/form-data; boundary=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a media type that is none', '{"title":"one"}', 'json', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'more than the route takes',
      JSON.stringify({ title: 'x'.repeat(1000) }),
      'application/json',
      413,
      'TOO_LARGE',
    ],
  ])('API-1: is a problem for %s', async (_what, body, type, status, code) => {
    const testServer = await library();
    expect(await problemOf(await put(testServer, body, type))).toEqual({ status, code });
    expect(testServer.log.filter((line) => line.level >= 50)).toEqual([]);
  });

  it('API-1: names the media type that is accepted', async () => {
    const testServer = await library();
    for (const type of ['text/plain', 'multipart/form-data; boundary=x']) {
      const answer = await put(testServer, '{"title":"one"}', type);
      expect(await answer.json()).toMatchObject({ detail: 'Send the body as application/json.' });
    }
  });

  it('API-1: is 413 for a body that only turns out too large as it comes', async () => {
    const testServer = await library();
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const answer = await sendRaw(
      testServer.port,
      `PUT /v1/books/one HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
    );
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'TOO_LARGE' });
  });

  it('API-1: is 400 for a path that cannot be decoded', async () => {
    const testServer = await library();
    for (const path of ['/v1/books/%zz', '/v1/books/%', '/v1/books/%c3%28', '/%ff']) {
      expect(await problemOf(await fetch(testServer.url + path))).toEqual({
        status: 400,
        code: 'INVALID_REQUEST',
      });
    }
  });

  it('API-1: is 404 for a parameter longer than any id', async () => {
    const testServer = await library();
    const read = (length: number) => fetch(`${testServer.url}/v1/books/${'x'.repeat(length)}`);
    expect((await read(300)).status).toBe(200);
    expect(await problemOf(await read(301))).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  it.each([
    ['a method that is none', 'BREW /v1/books/one HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['text that is not HTTP', 'good morning\r\n\r\n', 400],
    [
      'two lengths',
      'PUT /v1/books/one HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
      400,
    ],
    [
      'a length and chunks',
      'PUT /v1/books/one HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a line break in a header',
      'GET /v1/books/one HTTP/1.1\r\nHost: localhost\r\nX-One: a\nX-Two: b\r\n\r\n',
      400,
    ],
    [
      'headers without end',
      `GET /v1/books/one HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
  ])('API-1: is a problem for %s', async (_what, text, status) => {
    const testServer = await library();
    const answer = await sendRaw(testServer.port, text);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.parse(JSON.parse(answer.body))).toMatchObject({ status, code: 'INVALID_REQUEST' });
  });

  it("API-1: keeps the shape of others' wires, and is readable from other origins there", async () => {
    const testServer = await library();
    const response = await fetch(`${testServer.url}/sub/${'x'.repeat(11)}`);
    expect(response.status).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({ status: 400, error: 'The request is not valid' });
  });

  it('API-1: is 500 for an error of the server, reveals nothing of it, and is found in the log by its request id', async () => {
    const testServer = await library(() => {
      throw new Error('cannot open /var/books: password hunter2');
    });
    const response = await fetch(`${testServer.url}/v1/breakdown`);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toMatch(/books|hunter2|Error/);
    const { requestId, code } = problem.parse(JSON.parse(text));
    expect(code).toBe('INTERNAL');
    const lines = testServer.log.filter((line) => line.requestId === requestId);
    expect(lines.map((line) => line.msg)).toEqual(['a request failed', 'request']);
    expect(lines[0]).toMatchObject({
      level: 50,
      err: { message: 'cannot open /var/books: password hunter2' },
    });
  });

  it('API-1: is 500 where an answer does not fit its own contract', async () => {
    const testServer = await library(() => ({ pages: Number.NaN }));
    expect(await problemOf(await fetch(`${testServer.url}/v1/breakdown`))).toEqual({
      status: 500,
      code: 'INTERNAL',
    });
  });
});

describe('the log of requests', () => {
  it('RUN-2: has one line for each, with its request id, and nothing of the query, the headers and the body', async () => {
    const testServer = await library();
    const headers = { authorization: 'Bearer secret-1', cookie: 'session=secret-2', 'x-other': 'secret-3' };
    const good = await fetch(`${testServer.url}/v1/books/one?code=secret-4`, { headers });
    const bad = await fetch(`${testServer.url}/v1/books/one?code=secret-5`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ token: 'secret-6' }),
    });
    const broken = await fetch(`${testServer.url}/v1/%zz?code=secret-7`, { headers });
    expect([good.status, bad.status, broken.status]).toEqual([200, 422, 400]);
    await expect.poll(() => requests(testServer)).toHaveLength(3);
    expect(requests(testServer)[0]).toMatchObject({
      level: 30,
      requestId: expect.stringMatching(/^[\w-]{16}$/),
      req: { method: 'GET', path: '/v1/books/one', address: '127.0.0.1' },
      res: { status: 200 },
      ms: expect.any(Number),
    });
    expect(new Set(requests(testServer).map((line) => line.requestId)).size).toBe(3);
    const { requestId } = problem.parse(await bad.json());
    expect(testServer.log.filter((line) => line.requestId === requestId)).toHaveLength(1);
    expect(JSON.stringify(testServer.log)).not.toContain('secret');
  });

  it('RUN-2: takes no request id from outside', async () => {
    const testServer = await library();
    const response = await fetch(`${testServer.url}/nowhere`, {
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    });
    expect(problem.parse(await response.json()).requestId).not.toBe('mine');
  });

  it('RUN-2: logs the good answers of flag clients at level debug only', async () => {
    const testServer = await library();
    await fetch(`${testServer.url}/sub/one`);
    await fetch(`${testServer.url}/sub/${'x'.repeat(11)}`);
    await expect.poll(() => requests(testServer).map((line) => line.level)).toEqual([20, 30]);
  });
});

describe('every answer', () => {
  it('API-2: carries the security headers, problems and unknown paths included', async () => {
    const testServer = await library();
    for (const path of ['/v1/books/one', '/nowhere', '/v1/books/%zz']) {
      const { headers } = await fetch(testServer.url + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  it('API-2: makes browsers stay with https where the public URL is https, also for subdomains where that is configured', async () => {
    for (const [strictTransport, expected] of [
      ['host', 'max-age=31536000'],
      ['subdomains', 'max-age=31536000; includeSubDomains'],
    ] as const) {
      const testServer = await startTestServer((serve) => serve(readBook, ({ params }) => params), {
        strictTransport,
      });
      const { headers } = await fetch(`${testServer.url}/v1/books/one`);
      expect(headers.get('strict-transport-security')).toBe(expected);
    }
  });
});
