import { gzipSync } from 'node:zlib';
import { intakeLimits } from '#features/diagnostics/contract/intake.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeOf, errorEnvelope, feedbackEnvelope } from '#server/testing/envelopes.ts';
import { readEnvelope, readPayload, type Envelope, prunedJson } from './envelope.ts';
import { readEvent } from './event.ts';
import { reportOfFeedback } from './feedback-item.ts';
import { IntakeProblem } from './intake-problem.ts';
import { sampleOf } from './sample.ts';
import { createUnpacking } from './unpack.ts';

/** As the documents of Sentry have them, and as the SDKs were seen to send them. */
const real = [
  errorEnvelope({}, 'a'.repeat(32)),
  feedbackEnvelope(
    'b'.repeat(32),
    { message: 'It broke.', name: 'Mia' },
    Buffer.from([0x89, 0x50, 0x0a, 0x0a, 0x00]),
  ),
  Buffer.from(
    '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n\n',
  ),
  Buffer.from('{}\n{"type":"session"}\n{"started":"2020-02-07T14:16:00Z"}'),
  Buffer.from('{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}'),
  envelopeOf({}, [{ header: { type: 'user_report' }, payload: { event_id: 'c'.repeat(32), comments: 'x' } }]),
];

/** Reads everything that the intake reads; whatever it is, it is read or refused. */
function readAll(bytes: Buffer): 'read' | 'refused' {
  try {
    const { header, items } = readEnvelope(bytes);
    expect([typeof header, items.length <= intakeLimits.items]).toEqual(['object', true]);
    for (const item of items) {
      if (item.type !== 'event' && item.type !== 'feedback') continue;
      const sent = readPayload(item.payload);
      if (item.type === 'feedback') reportOfFeedback(sent, 'a'.repeat(32));
      else
        sampleOf(
          readEvent(sent, { projectId: 1, eventId: 'a'.repeat(32), address: '::1', person: null }).sent,
        );
    }
    return 'read';
  } catch (error) {
    if (error instanceof IntakeProblem) return 'refused';
    throw error;
  }
}

describe('an envelope', () => {
  it('DIAG-2: has items with a length and without, empty ones, and none', () => {
    const types = (envelope: Envelope) => envelope.items.map(({ type, payload }) => [type, payload.length]);
    const [, feedback, empty, last, none] = real.map(readEnvelope);
    expect(types(feedback as Envelope)).toEqual([
      ['feedback', expect.any(Number)],
      ['attachment', 5],
    ]);
    expect(types(empty as Envelope)).toEqual([
      ['attachment', 0],
      ['attachment', 0],
    ]);
    expect(types(last as Envelope)).toEqual([['session', 34]]);
    expect(types(none as Envelope)).toEqual([]);
    expect(real.map(readAll)).toEqual(real.map(() => 'read'));
  });

  it('DIAG-2: is read or refused, whatever a hundred thousand are made of, in bounded time and memory', () => {
    const position = fc.nat({ max: 4_000 });
    const mutated = fc
      .tuple(
        fc.constantFrom(...real),
        fc.array(fc.tuple(position, fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        position,
        fc.boolean(),
      )
      .map(([bytes, changes, cut, cuts]) => {
        const copy = Buffer.from(bytes);
        for (const [at, byte] of changes) copy[at % copy.length] = byte;
        return cuts ? copy.subarray(0, cut % copy.length) : copy;
      });
    const word = fc.constantFrom(
      '{"type":"event"}',
      '{"type":"feedback"}',
      '{"type":"event","length":',
      '{"type":"attachment","length":3}',
      '\n',
      '\n\n',
      '\r\n',
      '{}',
      '[]',
      'null',
      '{"contexts":{"feedback":{"message":"x"}}}',
      '{"exception":{"values":[',
      '{"type":"E","value":"v"}',
      ']}}',
      '{"__proto__":{"a":1}}',
      '{"fingerprint":["{{ default }}",1]}',
      '9999999999}',
      '-1}',
      '2}',
      '1e9}',
      '"\\ud800"',
      '\u0000',
      'é',
      '['.repeat(70),
      '{"a":'.repeat(70),
    );
    const made = fc.array(word, { maxLength: 14 }).map((words) => Buffer.from(words.join('')));
    const before = process.memoryUsage().heapUsed;
    const began = performance.now();
    const outcomes = { read: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.oneof(
          mutated,
          made,
          fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          outcomes[readAll(bytes)] += 1;
        },
      ),
      { numRuns: 100_000, endOnFailure: true },
    );
    expect([outcomes.read > 1_000, outcomes.refused > 1_000]).toEqual([true, true]);
    expect(performance.now() - began).toBeLessThan(50_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
  });

  it.each([
    ['deep lists', '['.repeat(60_000)],
    ['deep objects', '{"a":'.repeat(60_000)],
    ['a million brackets', '[],'.repeat(340_000)],
  ])('DIAG-2: with %s is refused in bounded time', (_what, payload) => {
    const bytes = Buffer.from(`{}\n{"type":"event"}\n${payload}\n`);
    const { user } = process.cpuUsage();
    expect(readAll(bytes)).toBe('refused');
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
  });
});

describe('a payload with too much in it', () => {
  const names = (count: number) => Array.from({ length: count }, (_each, at) => `"n${at}":[{}]`).join(',');
  const deep = `${'['.repeat(60_000)}"]}"${']'.repeat(60_000)}`;

  it.each([
    ['60,000 levels', `{"extra":${deep},"message":"m","tags":{"a":1}}`],
    ['60,000 levels in a list', `{"extra":{"a":[1,${deep},2],"b":3},"message":"m","tags":{"a":1}}`],
    [
      'ever new names',
      `{"extra":{${names(100_000)}},"contexts":{${names(100_000)}},"message":"m","tags":{"a":1}}`,
    ],
    ['a long list', `{"extra":[${'"]",'.repeat(400_000)}1],"message":"m","tags":{"a":1}}`],
    ['names after it', `{"message":"m","tags":{"a":1},${names(200_000)}}`],
  ])('DIAG-2: such as %s is cut, and the rest is read, in bounded time', (_what, payload) => {
    const { user } = process.cpuUsage();
    const read = readPayload(Buffer.from(payload));
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
    expect(read).toMatchObject({ message: 'm', tags: { a: 1 } });
    expect(JSON.stringify(read).length).toBeLessThan(400_000);
  });

  it('DIAG-2: stays the same JSON where it has not, and is never made JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(prunedJson(text)).toBe(text);
      }),
    );
    for (const text of [
      '['.repeat(60_000),
      '{"a":'.repeat(60_000),
      `{"a":${'['.repeat(50)}${']'.repeat(49)}`,
    ])
      expect(() => JSON.parse(prunedJson(text) ?? '')).toThrow(SyntaxError);
  });
});

it('DIAG-2: an id that no number can hold is kept digit by digit', () => {
  const payload =
    '{"user":{"id":9007199254740993},"extra":{"n":[-12345678901234567890,1764118832.1234567,12]}}';
  expect(readPayload(Buffer.from(payload))).toEqual({
    user: { id: '9007199254740993' },
    extra: { n: ['-12345678901234567890', 1764118832.1234567, 12] },
  });
});

describe('a packed body', () => {
  it('DIAG-2: ends as soon as it is larger than it may be, and only so many wait', async () => {
    const unpack = createUnpacking();
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => unpack(bomb, 'gzip')));
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' && outcome.reason instanceof IntakeProblem
        ? outcome.reason.code
        : 'unpacked',
    );
    expect(new Set(codes)).toEqual(new Set(['TOO_LARGE', 'UNAVAILABLE']));
    expect((await unpack(gzipSync(real[0] as Buffer), 'gzip')).equals(real[0] as Buffer)).toBe(true);
  });
});
