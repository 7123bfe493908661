import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { route } from '#contract/route.ts';
import * as z from 'zod/mini';
import { startTestServer } from '../../testing/test-server.ts';
import { openSocket, sendRaw } from '../../testing/raw-request.ts';
import { HttpProblem } from './http-problem.ts';
import { readForm, type FormFile, type FormOptions } from './read-form.ts';

type Part = { name?: string; filename?: string; content: string | Buffer };

const boundary = 'a-boundary';
const contentType = `multipart/form-data; boundary=${boundary}`;

function formOf(parts: readonly Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name = 'files', filename, content }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${
          filename === undefined ? '' : `; filename="${filename}"`
        }\r\nContent-Type: text/html\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** The same bytes in pieces of this length. */
function inPieces(whole: Buffer, length: number): Readable {
  const pieces = Array.from({ length: Math.ceil(whole.length / length) }, (_, index) =>
    whole.subarray(index * length, (index + 1) * length),
  );
  return Readable.from(pieces, { objectMode: false });
}

const options: FormOptions = {
  headers: { 'content-type': contentType },
  field: 'files',
  files: 3,
  bytes: 1_000_000,
};

async function taken({ index, filename, bytes }: FormFile) {
  return { index, filename, content: (await buffer(bytes)).toString() };
}

const read = (body: unknown, given: Partial<FormOptions> = {}) =>
  readForm(body, { ...options, ...given }, taken);

const wrong = (pointer: string, code: string) => ({
  code: 'INVALID_BODY',
  details: { errors: [expect.objectContaining({ pointer, code })] },
});

describe('a form with files', () => {
  it('FILE-1: gives its files in order, however it is cut into pieces', async () => {
    const parts = [
      { filename: 'ä b.txt', content: 'one' },
      { filename: '../../x', content: '' },
      { filename: 'c', content: `\r\n--${boundary.slice(0, -1)}\r\n${'long '.repeat(30_000)}` },
    ];
    const whole = formOf(parts);
    for (const length of [1, 7, 1_000, 65_536, whole.length]) {
      // Byte by byte, the whole form would take too long.
      const [part, expected] = length === 1 ? [formOf(parts.slice(0, 2)), parts.slice(0, 2)] : [whole, parts];
      expect(await read(inPieces(part, length))).toEqual(
        expected.map((each, index) => ({ index, filename: each.filename, content: each.content })),
      );
    }
  });

  it('FILE-1: is read no faster than its files are taken', async () => {
    const gate = Promise.withResolvers<void>();
    let given = 0;
    async function* slowly(): AsyncGenerator<Buffer> {
      const whole = formOf([{ filename: 'a', content: Buffer.alloc(900_000) }]);
      for (let start = 0; start < whole.length; start += 10_000) {
        given = start;
        yield await Promise.resolve(whole.subarray(start, start + 10_000));
      }
    }
    const body = Readable.from(slowly(), { objectMode: false });
    const reading = readForm(body, options, async ({ bytes }) => {
      await gate.promise;
      return (await buffer(bytes)).length;
    });
    await expect.poll(() => given).toBeGreaterThan(0);
    // Time enough for everything to arrive if the reader did not slow down the sender.
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
    expect(given).toBeLessThan(300_000);
    gate.resolve();
    expect(await reading).toEqual([900_000]);
  });

  it('API-1: is refused with what is wrong in it', async () => {
    const good = { filename: 'a', content: 'a' };
    const refused: [Part[], object][] = [
      [[], wrong('/files', 'required')],
      [[good, { ...good, name: 'file' }], wrong('/file', 'unknown')],
      [[good, { content: 'a text' }], wrong('/files/1', 'type')],
      [[good, good, good, good], wrong('/files', 'too_big')],
    ];
    for (const [parts, problem] of refused) {
      await expect(read(inPieces(formOf(parts), 40))).rejects.toMatchObject(problem);
      await expect(read(inPieces(formOf(parts), 100_000))).rejects.toMatchObject(problem);
    }
    for (const body of [undefined, null, {}, 'text', []])
      await expect(read(body)).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary', 'x', undefined]) {
      await expect(
        read(inPieces(formOf([good]), 100), { headers: { 'content-type': type } }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    }
  });

  it('FILE-1: is cut short where it is too large, before it is read where its length is announced', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield formOf([{ filename: 'a', content: 'x' }]).subarray(0, -20);
      for (; ; given += 1_000) yield await Promise.resolve(Buffer.alloc(1_000));
    }
    const body = Readable.from(endless(), { objectMode: false });
    await expect(read(body, { bytes: 50_000 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(given).toBeLessThan(200_000);
    expect(body.destroyed).toBe(false);
    body.destroy();

    const unread = Readable.from(endless(), { objectMode: false });
    const headers = { ...options.headers, 'content-length': '1000001' };
    await expect(read(unread, { headers })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(unread.readableDidRead).toBe(false);
  });

  it('FILE-1: that fails has ended what it began before it answers', async () => {
    const parts = [1, 2, 3].map((each) => ({ filename: 'a', content: Buffer.alloc(100_000, each) }));
    let open = 0;
    const seen: number[] = [];
    const reading = (form: Buffer, fault: number) =>
      readForm(inPieces(form, 10_000), options, async ({ index, bytes }) => {
        open += 1;
        try {
          seen.push(index);
          if (index === fault) throw new HttpProblem('STORAGE_FULL');
          await buffer(bytes);
        } finally {
          await new Promise(setImmediate);
          open -= 1;
        }
      });
    await expect(reading(formOf(parts), 1)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect([open, seen]).toEqual([0, [0, 1]]);
    const cutOff = formOf(parts).subarray(0, 150_000);
    await expect(reading(cutOff, -1)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect([open, seen]).toEqual([0, [0, 1, 0, 1]]);
  });

  it('API-1: is answered or refused, whatever is done to it, and never waited for', async () => {
    const whole = formOf([
      { filename: 'a', content: 'x'.repeat(200) },
      { filename: 'b', content: 'y' },
    ]);
    const edit = fc.record({
      at: fc.nat(whole.length),
      without: fc.nat(60),
      instead: fc.oneof(
        fc.constantFrom('\r\n', '\r\n\r\n', `--${boundary}`, `\r\n--${boundary}--`, '"', '\n', '--', '\0'),
        fc.string({ maxLength: 10 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { maxLength: 3 }),
        fc.nat(whole.length),
        fc.integer({ min: 1, max: 500 }),
        async (edits, end, length) => {
          let form = whole.toString('latin1');
          for (const { at, without, instead } of edits)
            form = form.slice(0, at) + instead + form.slice(at + without);
          const cut = edits.length === 0 ? form.slice(0, end) : form;
          const outcome = await read(inPieces(Buffer.from(cut, 'latin1'), length)).then(
            (files) => (files.length > 0 ? 'read' : 'nothing'),
            (error: unknown) => (error instanceof HttpProblem ? error.code : error),
          );
          // The last line break belongs to no content.
          const isCutOff = edits.length === 0 && end < whole.length - 2;
          const refusals = ['INVALID_REQUEST', 'INVALID_BODY', 'TOO_LARGE'];
          expect(isCutOff ? refusals : ['read', ...refusals]).toContain(outcome);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a form on the wire', () => {
  const take = route({
    method: 'POST',
    path: '/take',
    summary: 'Takes files.',
    access: 'public',
    form: { field: 'files' },
    answer: z.array(z.object({ index: z.number(), filename: z.string(), content: z.string() })),
  });
  const serveForms = (given: Partial<FormOptions> = {}) =>
    startTestServer((serve) => {
      serve(take, ({ body, request }) => read(body, { ...given, headers: request.headers }));
    });

  it('FILE-1: is answered, also before all of a refused one has come', async () => {
    const { url } = await serveForms();
    const good = formOf([{ filename: 'a', content: 'a' }]);
    const answered = await fetch(`${url}/take`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: new Uint8Array(good),
    });
    expect([answered.status, await answered.json()]).toEqual([
      200,
      [{ index: 0, filename: 'a', content: 'a' }],
    ]);
    const refused = await fetch(`${url}/take`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: new Uint8Array(formOf([{ filename: 'a', content: Buffer.alloc(5_000_000) }])),
    });
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'TOO_LARGE' }),
    ]);
  });

  it('FILE-1: that never ends is cut off, after its answer', async () => {
    const { port } = await serveForms();
    const socket = openSocket(port);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    const closed = new Promise((close) => void socket.once('close', close).on('error', close));
    socket.write(
      `POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${contentType}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.concat([
      Buffer.from('10000\r\n'),
      formOf([{ filename: 'a', content: Buffer.alloc(65_536) }]).subarray(0, 65_536),
      Buffer.from('\r\n'),
    ]);
    let sent = 0;
    const pump = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    socket.on('drain', pump);
    pump();
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    // What the sockets hold aside, no more than was to be thrown away.
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('FILE-1: whose sender goes away is over, and no failure of ours', async () => {
    const began = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const testServer = await startTestServer((serve) => {
      serve(take, async ({ body, request }) => {
        const reading = readForm(body, { ...options, headers: request.headers }, async ({ bytes }) => {
          began.resolve();
          return { index: 0, filename: '', content: (await buffer(bytes)).toString() };
        });
        ended.resolve(
          await reading.then(
            () => 'read',
            (error: unknown) => (error as HttpProblem).code,
          ),
        );
        return reading;
      });
    });
    const socket = openSocket(testServer.port);
    const half = formOf([{ filename: 'a', content: 'x'.repeat(5_000) }]).subarray(0, 3_000);
    socket.write(
      `POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${contentType}\r\nContent-Length: 6000\r\n\r\n`,
    );
    socket.write(half);
    await began.promise;
    socket.destroy();
    expect(await ended.promise).toBe('INVALID_REQUEST');
    await testServer.stop();
    expect(testServer.log.filter((line) => line.level >= 50)).toEqual([]);
  });

  it('API-1: with a length that is too large is refused before anything has come', async () => {
    const { port } = await serveForms();
    const head = `POST /take HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${contentType}\r\n`;
    const { status } = await sendRaw(port, `${head}Content-Length: 1000001\r\n\r\n`);
    expect(status).toBe(413);
  });
});
