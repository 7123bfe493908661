import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventStreamParser } from './event-stream-parser.ts';

type Call = ['message', string, string] | ['id', string] | ['retry', number];

function read(...chunks: Uint8Array[]): Call[] {
  const calls: Call[] = [];
  const feed = createEventStreamParser({
    onMessage: ({ event, data }) => calls.push(['message', event, data]),
    onId: (id) => calls.push(['id', id]),
    onRetry: (milliseconds) => calls.push(['retry', milliseconds]),
  });
  chunks.forEach(feed);
  return calls;
}

const bytes = (text: string) => new TextEncoder().encode(text);

it.each<[string, string, Call[]]>([
  ['what has no name is a message', 'data: x\n\n', [['message', 'message', 'x']]],
  ['line breaks of all three kinds', 'event:a\rdata:1\r\ndata:2\n\r\n', [['message', 'a', '1\n2']]],
  ['a byte order mark at the beginning', '\uFEFFdata: x\n\n', [['message', 'message', 'x']]],
  ['one byte order mark alone', '\uFEFF\uFEFFdata: x\n\n', []],
  ['comments are passed over', ': beat\n\n:\n\ndata: x\n\n', [['message', 'message', 'x']]],
  ['one space after the colon is no value', 'data:  x\n\n', [['message', 'message', ' x']]],
  ['a field without a colon', 'data\n\n', [['message', 'message', '']]],
  ['no data, no message', 'event: a\n\n', []],
  ['no end, no message', 'data: x\n', []],
  ['an id without data counts', 'id: 7\n\n', [['id', '7']]],
  [
    'an id comes before its message',
    'data: x\nid: 7\n\n',
    [
      ['id', '7'],
      ['message', 'message', 'x'],
    ],
  ],
  ['an id with NUL is none', 'id: 7\0\ndata: x\n\n', [['message', 'message', 'x']]],
  [
    'an empty id takes the last one back',
    'id\ndata: x\n\n',
    [
      ['id', ''],
      ['message', 'message', 'x'],
    ],
  ],
  ['retry in digits alone', 'retry: 3000\nretry: 3s\nretry: -1\nretry: ١\n', [['retry', 3000]]],
  ['names are case-sensitive', 'Data: x\n\n', []],
])('RIGHT-5: reads an event stream: %s', (_, text, calls) => {
  expect(read(bytes(text))).toEqual(calls);
});

const line = fc.oneof(
  fc.constantFrom('', '', ':', 'data', 'id', 'retry: 5', 'retry:x', 'event', 'unknown: x', 'daTa: x', 'da'),
  fc
    .tuple(
      fc.constantFrom('data', 'event', 'id', 'x', ' data', '\uFEFFdata'),
      fc.constantFrom(':', ': ', ' :', ''),
      fc.string({ unit: fc.constantFrom('a', ' ', ':', '0', '\0', 'é', '€', '🦉', '\uFEFF') }),
    )
    .map((parts) => parts.join('')),
);
const stream = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n'))),
  )
  .map(([mark, lines]) => mark + lines.flat().join(''));

it('RIGHT-5: an event stream reads the same wherever its bytes are cut', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(400)), (text, cuts) => {
      const all = bytes(text);
      const places = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length];
      const pieces = places.slice(1).map((end, index) => all.subarray(places[index], end));
      expect(read(...pieces)).toEqual(read(all));
      expect(read(...[...all].map((one) => Uint8Array.of(one)))).toEqual(read(all));
    }),
    { numRuns: 1000 },
  );
});

it('RIGHT-5: a message that is too long is an error', () => {
  const piece = bytes(`data: ${'x'.repeat(60_000)}\n`);
  expect(() => read(...Array.from({ length: 40 }, () => piece))).toThrow(/max buffer size/);
});
