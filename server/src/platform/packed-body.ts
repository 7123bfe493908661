import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { fromBase64 } from './base64.ts';
import { HttpProblem } from './http-problem.ts';
import { newId } from './ids.ts';

/** Texts from here on are unpacked where they lie. */
const longText = 16_384;
/** A larger body gets a place of its own. */
const mostKept = 4 * 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** Stands for a long text that is no base64; it is none itself. */
const notBase64 = '!';

export type PackedBodyOptions = {
  /** The name of the members that hold base64. */
  member: string;
  /** Bytes that the body may have beside it; more is TOO_LARGE. */
  most: number;
  /** Reads what is left, as text. */
  parse(this: void, rest: string): unknown;
};

/** A JSON body, and the bytes of the long base64 texts in it by what stands in their place. */
export type PackedBody = { value: unknown; unpacked: ReadonlyMap<string, Buffer> };

/**
 * Reads a JSON body that is large for the few base64 texts in it. They are unpacked from the bytes that came, and a short
 * text stands in their place before the parser sees them. So the work and the memory of the parser, and of all that
 * look at texts, are bounded by what is left, where 12 MiB of brackets would hold up everybody for two seconds and take
 * 350 MB; and no long text is made for which the collector of garbage would have to run at each request.
 */
export function readPackedBody(body: Buffer, { member, most, parse }: PackedBodyOptions): PackedBody {
  const name = Buffer.from(JSON.stringify(member));
  const unpacked = new Map<string, Buffer>();
  const mark = newId();
  const left: string[] = [];
  let bytes = 0;
  let from = 0;

  function leave(to: number): void {
    bytes += to - from;
    if (bytes > most) {
      throw new HttpProblem('TOO_LARGE', {
        detail: `Beside what is packed in it, it has more than ${most} bytes.`,
      });
    }
    left.push(body.toString('utf8', from, to));
  }

  for (let open = body.indexOf(quote); open >= 0;) {
    const close = endOfText(body, open);
    const text = body.subarray(open + 1, close);
    // With an escape in it, it is none that anybody writes.
    if (
      close < body.length &&
      text.length > longText &&
      isValueOf(name, body, open) &&
      !text.includes(backslash)
    ) {
      leave(open);
      from = close + 1;
      const found = fromBase64(text);
      const standIn = found === null ? notBase64 : `${mark}-${unpacked.size}`;
      left.push(`"${standIn}"`);
      if (found !== null) unpacked.set(standIn, found);
    }
    if (bytes + close - from > most) break;
    open = body.indexOf(quote, close + 1);
  }
  leave(body.length);
  return { value: parse(left.join('')), unpacked };
}

/** Where the text that begins at a quote has its other quote; the end of the body where it has none. */
function endOfText(body: Buffer, open: number): number {
  for (let close = body.indexOf(quote, open + 1); close >= 0; close = body.indexOf(quote, close + 1)) {
    let before = close;
    while (body[before - 1] === backslash) before -= 1;
    if ((close - before) % 2 === 0) return close;
  }
  return body.length;
}

/** Whether the text that begins at a quote is the value of a member with this name, as it is written with its quotes. */
function isValueOf(name: Buffer, body: Buffer, open: number): boolean {
  const end = skipBlanks(body, open);
  if (body[end - 1] !== colon) return false;
  const nameEnd = skipBlanks(body, end - 1);
  const nameStart = nameEnd - name.length;
  // An escaped quote begins no name.
  return nameStart > 0 && body[nameStart - 1] !== backslash && body.subarray(nameStart, nameEnd).equals(name);
}

/** Where the blanks before a place begin (RFC 8259, 2). */
function skipBlanks(body: Buffer, end: number): number {
  let before = end;
  while ([0x20, 0x09, 0x0a, 0x0d].includes(body[before - 1] ?? 0)) before -= 1;
  return before;
}

const unpackedOf = new WeakMap<FastifyRequest, ReadonlyMap<string, Buffer>>();

/** The bytes that a text of a request's body stands for, also one that was unpacked already; null where it is no base64. */
export function unpack(request: FastifyRequest, text: string): Buffer | null {
  return unpackedOf.get(request)?.get(text) ?? fromBase64(Buffer.from(text));
}

/**
 * Receives and reads the body of a request. Throws TOO_LARGE as soon as there is more than the route takes, and what
 * `parse` throws.
 */
export async function takePackedBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  options: PackedBodyOptions,
): Promise<unknown> {
  const limit = request.routeOptions.bodyLimit;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new HttpProblem('TOO_LARGE');
  const { value, unpacked } = readPackedBody(await received(payload, limit), options);
  unpackedOf.set(request, unpacked);
  return value;
}

async function received(payload: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  // Who has sent too much is to read the answer: the connection stays for it.
  const arriving = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const part of arriving) {
      length += part.length;
      if (length > limit) throw new HttpProblem('TOO_LARGE');
      parts.push(part);
    }
  } catch (error) {
    // Nobody is left to be answered when a connection breaks.
    throw error instanceof HttpProblem ? error : new HttpProblem('INVALID_REQUEST');
  }
  return joined(parts, length);
}

// Bodies are read one at a time and without a pause, so the next one may lie where the last one lay.
let place = Buffer.alloc(0);

function joined(parts: readonly Buffer[], length: number): Buffer {
  if (length > mostKept) return Buffer.concat(parts, length);
  if (place.length < length) place = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const part of parts) end += part.copy(place, end);
  return place.subarray(0, length);
}
