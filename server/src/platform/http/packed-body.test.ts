import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { openSocket } from '../../testing/raw-request.ts';
import { HttpProblem } from './http-problem.ts';
import { readPackedBody, takePackedBody, unpack } from './packed-body.ts';

const most = 262_144;
const packed = { member: 'data', most, parse: JSON.parse };
const long = 'QUJD'.repeat(100_000);

/** What is read, with what was unpacked put back as text. */
function read(json: string, limit = most): unknown {
  const { value, unpacked } = readPackedBody(Buffer.from(json), { ...packed, most: limit });
  const putBack = (_name: string, each: unknown): unknown =>
    typeof each === 'string' ? (unpacked.get(each)?.toString('base64') ?? each) : each;
  return unpacked.size === 0 ? value : JSON.parse(JSON.stringify(value), putBack);
}

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof HttpProblem ? error.code : 'not JSON';
  }
}

it('API-1: a packed body that is not UTF-8 is refused, so that no byte is stored as another character', () => {
  const bytes = [...Buffer.from('{"word":"'), 0xf0, 0x90, 0x80, ...Buffer.from('"}')];
  expect(() => readPackedBody(Buffer.from(bytes), packed)).toThrow('The body is not UTF-8.');
});

const takePackedUpTo = <const A extends Record<string, z.ZodMiniType>>(bodyLimit: number, answer: A) =>
  route({
    method: 'POST',
    path: '/v1/packed',
    summary: 'Takes base64',
    access: 'public',
    body: z.strictObject({ data: z.string() }),
    bodyLimit,
    answer: z.object(answer),
  });

describe('a packed body that comes in chunks', () => {
  const bodyLimit = '{"data":""}'.length + 200_000;
  const takePacked = takePackedUpTo(bodyLimit, { bytes: z.number() });

  /** The answer to a body of so many bytes whose length is not announced. */
  async function answerTo(bytes: number, { ended }: { ended: boolean }): Promise<string> {
    const testServer = await startTestServer((serve) =>
      serve(takePacked, ({ body, request }) => ({ bytes: unpack(request, body.data)?.length ?? 0 }), {
        packed: 'data',
      }),
    );
    const json = JSON.stringify({ data: '' });
    const body = JSON.stringify({ data: 'A'.repeat(bytes - json.length) });
    const socket = openSocket(testServer.port);
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.write('POST /v1/packed HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write('Transfer-Encoding: chunked\r\n\r\n');
    for (let from = 0; from < body.length; from += 50_000) {
      const part = body.slice(from, from + 50_000);
      socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    }
    if (ended) socket.write('0\r\n\r\n');
    await expect.poll(() => answer).toMatch(/\}$/);
    return answer;
  }

  it('BUG-6: is taken up to the limit of its route, however large the first of its places was', async () => {
    const answer = await answerTo(bodyLimit, { ended: true });
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('{"bytes":150000}');
  });

  it('BUG-6: is over once the server cuts it off', async () => {
    const payload = new PassThrough() as unknown as IncomingMessage;
    const request = { headers: {}, routeOptions: { bodyLimit } } as unknown as FastifyRequest;
    const taken = takePackedBody(request, payload, packed);
    payload.destroy();
    await expect(taken).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('BUG-6: is refused as soon as more than the limit has come, without its end', async () => {
    const answer = await answerTo(bodyLimit + 1, { ended: false });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('"code":"TOO_LARGE"');
  });
});

describe('packed bodies of every size', () => {
  const takePacked = takePackedUpTo(6_000_000, { hash: z.string() });
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  it('BUG-6: follow each other and come at once, and each is read as it was sent', async () => {
    const testServer = await startTestServer((serve) =>
      serve(
        takePacked,
        ({ body, request }) => ({ hash: hashOf(unpack(request, body.data) ?? Buffer.alloc(0)) }),
        { packed: 'data' },
      ),
    );
    const url = `http://127.0.0.1:${testServer.port}${takePacked.path}`;
    const send = async (bytes: Buffer, chunked: boolean) => {
      const json = JSON.stringify({ data: bytes.toString('base64') });
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: chunked ? new Blob([json]).stream() : json,
        duplex: 'half',
      });
      const { hash } = (await response.json()) as { hash: string };
      return hash === hashOf(bytes);
    };
    // Small ones first, so that their buffers are too small for the next, and large ones before small ones.
    const sizes = [10, 40_000, 90_000, 700_000, 2_000_000, 4_400_000, 90_000, 1_500_000, 40_000, 3_000_000];
    const bodies = sizes.map((size) => randomBytes(size));
    for (const chunked of [false, true])
      for (const bytes of bodies)
        expect([bytes.length, chunked, await send(bytes, chunked)]).toEqual([bytes.length, chunked, true]);
    const together = await Promise.all(bodies.map((bytes, index) => send(bytes, index % 2 === 0)));
    expect(together).toEqual(bodies.map(() => true));
    const whole = async (length: number) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"data":""}'.padEnd(length),
      });
      return answer.status;
    };
    // Blanks are outside what is packed, so they are too many before a whole body is.
    expect([await whole(11), await whole(6_000_001)]).toEqual([200, 413]);
    const broken = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"data":"${long}"`,
    });
    expect([broken.status, await send(Buffer.from(long), false)]).toEqual([400, true]);
  });
});

describe('a body with base64 in it', () => {
  it('BUG-6: is read as it stands, what is long is unpacked', () => {
    const body = { message: 'äöü "quoted" \\', attachments: [{ data: long }, { data: `${long}QQ==` }], n: 1 };
    for (const json of [JSON.stringify(body), JSON.stringify(body, null, '\t')]) {
      expect(read(json)).toEqual(body);
      const { value, unpacked } = readPackedBody(Buffer.from(json), packed);
      expect(JSON.stringify(value).length).toBeLessThan(300);
      expect([...unpacked.values()].map((bytes) => bytes.length)).toEqual([300_000, 300_001]);
    }
  });

  it('BUG-6: is read also where each slash has a backslash before it', () => {
    const slashes = { data: '//8/'.repeat(10_000) };
    expect(read(JSON.stringify(slashes).replaceAll('/', String.raw`\/`))).toEqual(slashes);
  });

  it('BUG-6: reports that what is long and no base64 is none', () => {
    for (const wrong of [
      `${long}!`,
      `${long}ABC`,
      `${long}AB==`,
      ` ${long}`,
      `${long}\u007f é`,
      long.replace('Q', '-'),
    ])
      expect(read(JSON.stringify({ data: wrong }))).toEqual({ data: '!' });
  });

  it('BUG-6: is what the parser makes of it, whatever it is', () => {
    const pieces = fc.constantFrom('x', '"', '\\', '\n', '\u0000', 'é', '👩‍🚀', '\ud800', ':', ' ');
    const texts = fc
      .tuple(pieces, fc.integer({ min: 0, max: 40_000 }), pieces)
      .map(([before, length, behind]) => before + 'A'.repeat(length) + behind);
    const base64 = fc.integer({ min: 0, max: 10_000 }).map((quads) => 'QUJD'.repeat(quads));
    const values = fc.jsonValue({ maxDepth: 2 });
    const names = fc.oneof(fc.constantFrom('"data"', 'd'), texts, fc.string());
    const bodies = fc.array(fc.tuple(names, fc.oneof(texts, values), base64), { maxLength: 5 });
    const inserted = fc.tuple(fc.nat({ max: 100_000 }), fc.constantFrom('"', ':', '}', '[', ','));
    fc.assert(
      fc.property(bodies, fc.option(inserted), (entries, insertion) => {
        const members = entries.map(([name, value]) => [name, value] as const);
        let json = JSON.stringify([
          Object.fromEntries(members),
          members,
          ...entries.map(([, , data]) => ({ data })),
        ]);
        // Now and then something is put in that may break it; within base64 it makes it none.
        if (insertion !== null) {
          const [place, what] = insertion;
          json = json.slice(0, place) + what + json.slice(place);
        }
        const bytes = String(Buffer.from(json));
        const expected = outcome(() => JSON.parse(bytes, noneWhereLong));
        expect(outcome(() => read(json, 10_000_000))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('BUG-6: is refused where the parser would have to read more than it may', () => {
    const half = 6_000_000;
    const hostile: Record<string, string> = {
      brackets: `${'['.repeat(half)}${']'.repeat(half)}`,
      'empty objects': `[${'{},'.repeat(4_000_000)}1]`,
      'short texts': `[${'"",'.repeat(4_000_000)}1]`,
      'one long name': `{"${long}":1}`,
      'a long text of another member': `{"message":"${long}"}`,
      'a long text of a member whose name ends alike': `{"\\"data":"${long}"}`,
      'a list of long texts': `["${long}"]`,
      'a list with the name before it': `["data","${long}"]`,
      'a name of backslashes': `{"${'\\'.repeat(half)}":1}`,
      'a text without an end': `{"data":"${long}`,
      blanks: `{"data":${' '.repeat(half)}1}`,
    };
    for (const [what, json] of Object.entries(hostile)) {
      expect([what, outcome(() => typeof read(json))]).toEqual([what, 'TOO_LARGE']);
    }
    expect(read(`[${'1'.repeat(most - 2)}]`)).toHaveLength(1);
    expect(outcome(() => read(`[${'1'.repeat(most - 1)}]`))).toBe('TOO_LARGE');
  });

  it('BUG-6: survives what is deep next to it', () => {
    const levels = 100_000;
    const json = `{"data":"${long}","deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const { unpacked } = readPackedBody(Buffer.from(json), packed);
    expect(unpacked.size).toBe(1);
  });

  it('BUG-6: no sender can name what was unpacked for another', () => {
    const bodies = [1, 2].map(() => readPackedBody(Buffer.from(JSON.stringify({ data: long })), packed));
    const [one, other] = bodies.map(({ unpacked }) => [...unpacked.keys()]);
    expect(one).toHaveLength(1);
    expect(one).not.toEqual(other);
  });
});

/** What stands where a long text of `data` is no base64. */
function noneWhereLong(name: string, value: unknown): unknown {
  if (name !== 'data' || typeof value !== 'string' || Buffer.byteLength(value) <= 16_384) return value;
  return Buffer.from(value, 'base64').toString('base64') === value ? value : '!';
}
