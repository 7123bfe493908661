import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { unpackBase64 } from '../keys/base64.ts';
import { HttpProblem } from './http-problem.ts';
import { newId } from '../keys/ids.ts';

/** Texts from here on are unpacked where they lie. */
const longText = 16_384;
const mebibyte = 1024 * 1024;
/** The buffers that are reused for the next bodies: their smallest and largest size, and how many. */
const reusable = { least: 65_536, most: 4 * mebibyte, places: 2 };

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** Stands for a long text that is no base64; it is none itself. */
const notBase64 = '!';

export type PackedBodyOptions = {
  /** The name of the members that hold base64. */
  member: string;
  /** Bytes that the body may have in addition; more is TOO_LARGE. */
  most: number;
  /** Reads what is left, as text. */
  parse(this: void, rest: string): unknown;
};

/** A JSON body, and the bytes of the long base64 texts in it by what stands in their place. */
export type PackedBody = { value: unknown; unpacked: ReadonlyMap<string, Buffer> };

/**
 * Reads a JSON body that is large for the few base64 texts in it. They are unpacked from the bytes that came,
 * and a short text stands in their place before the parser sees them. So the work and the memory of the
 * parser, and of all that look at texts, are bounded by what is left, where 12 MiB of brackets would block
 * the event loop for two seconds and take 350 MB. Neither a long text nor other fresh memory is made, for
 * which the collector of garbage would have to run at each request. A long text that is no base64 is not
 * checked against JSON's rules.
 *
 * @param body its bytes, over which is unpacked what is packed in them
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
        detail: `Without what is packed in it, it has more than ${most} bytes.`,
      });
    }
    // As the usual parser refuses it, so that no byte is stored as another character.
    if (!isUtf8(body.subarray(from, to)))
      throw new HttpProblem('BAD_JSON', { detail: 'The body is not UTF-8.' });
    left.push(body.toString('utf8', from, to));
  }

  for (let open = body.indexOf(quote); open >= 0;) {
    const close = endOfText(body, open);
    if (close < body.length && close - open > longText && isValueOf(name, body, open)) {
      leave(open);
      from = close + 1;
      const found = unpackBase64(withoutEscapes(body.subarray(open + 1, close)));
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

/** Some writers of JSON put a backslash before each slash, as it allows (RFC 8259, 7). */
function withoutEscapes(text: Buffer): Buffer {
  if (!text.includes(backslash)) return text;
  return Buffer.from(text.toString('latin1').replaceAll(String.raw`\/`, '/'), 'latin1');
}

/** Whether the text that begins at a quote is the value of a member with this quoted name. */
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

type Taken = { place: Buffer; unpacked: ReadonlyMap<string, Buffer> };

const takenBy = new WeakMap<FastifyRequest, Taken>();

/**
 * The bytes that a text of a request's body stands for, also one that was unpacked already; null where it is
 * no base64. They are there until the handler has answered, and not a moment longer.
 */
export function unpack(request: FastifyRequest, text: string): Buffer | null {
  return takenBy.get(request)?.unpacked.get(text) ?? unpackBase64(Buffer.from(text));
}

/**
 * Receives and reads the body of a request. Throws TOO_LARGE as soon as there is more than the route takes,
 * and what `parse` throws. Its buffer is released by `releaseBody`, once no code reads it any more.
 */
export async function takePackedBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  options: PackedBodyOptions,
): Promise<unknown> {
  const { place, length } = await received(request, payload);
  try {
    const { value, unpacked } = readPackedBody(place.subarray(0, length), options);
    takenBy.set(request, { place, unpacked });
    return value;
  } catch (error) {
    keepPlace(place);
    throw error;
  }
}

/** The next body may lie where this one lay. */
export function releaseBody(request: FastifyRequest): void {
  const taken = takenBy.get(request);
  takenBy.delete(request);
  if (taken !== undefined) keepPlace(taken.place);
}

const places: Buffer[] = [];

function placeFor(length: number): Buffer {
  if (length < reusable.least) return Buffer.allocUnsafe(length);
  const fits = places.findIndex((place) => place.length >= length);
  const [place] = fits < 0 ? [] : places.splice(fits, 1);
  if (place !== undefined) return place;
  // Those that are there are too small, and would stay for ever.
  places.pop();
  return Buffer.allocUnsafeSlow(Math.ceil(length / mebibyte) * mebibyte);
}

function keepPlace(place: Buffer): void {
  if (place.length >= reusable.least && place.length <= reusable.most && places.length < reusable.places)
    places.push(place);
}

/** A body in its place, each part put there as it arrives. */
function received(
  request: FastifyRequest,
  payload: IncomingMessage,
): Promise<{ place: Buffer; length: number }> {
  const limit = request.routeOptions.bodyLimit;
  const announced = Number(request.headers['content-length'] ?? reusable.least);
  if (announced > limit) return Promise.reject(new HttpProblem('TOO_LARGE'));
  return new Promise((done, fail) => {
    let place = placeFor(announced);
    let length = 0;

    function take(part: Buffer): void {
      const needed = length + part.length;
      if (needed > limit) {
        over(() => fail(new HttpProblem('TOO_LARGE')));
        return;
      }
      if (needed > place.length) {
        const larger = placeFor(Math.min(limit, needed * 2));
        place.copy(larger, 0, 0, length);
        keepPlace(place);
        place = larger;
      }
      length += part.copy(place, length);
    }

    function over(then: () => void): void {
      payload.off('data', take).off('end', ended).off('error', broken);
      then();
    }
    const ended = (): void => over(() => done({ place, length }));
    // There is no one to answer when a connection breaks.
    const broken = (): void => over(() => fail(new HttpProblem('INVALID_REQUEST')));
    payload.on('data', take).on('end', ended).on('error', broken);
  });
}
