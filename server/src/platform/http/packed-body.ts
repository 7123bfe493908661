import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { unpackBase64 } from '../keys/base64.ts';
import { HttpProblem } from './http-problem.ts';
import { newId } from '../keys/ids.ts';

/** A base64 text of this length or more is decoded in place, in the buffer of the body. */
const longText = 16_384;
const mebibyte = 1024 * 1024;
/** The buffers that are reused for the next bodies: their smallest and largest size, and how many. */
const reusable = { least: 65_536, most: 4 * mebibyte, places: 2 };

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** Replaces a long text that is not base64; this mark is not base64 either. */
const notBase64 = '!';

export type PackedBodyOptions = {
  /** The name of the members that hold base64. */
  member: string;
  /** Bytes that the body may have in addition; more is TOO_LARGE. */
  most: number;
  /** Parses what is left of the body, as text. */
  parse(this: void, rest: string): unknown;
};

/** A JSON body, and the bytes of its long base64 texts by the short text that replaces each. */
export type PackedBody = { value: unknown; unpacked: ReadonlyMap<string, Buffer> };

/**
 * Reads a JSON body that is large because of a few base64 texts. They are decoded in the buffer that came, and a
 * short text replaces each before the parser sees it. So the work and the memory of the parser, and of all code
 * that examines texts, are bounded by what is left, where 12 MiB of brackets would block the event loop for two
 * seconds and take 350 MB. No long text and no other fresh memory is made, for which the garbage collector would
 * have to run at each request. A long text that is not base64 is not checked against JSON's rules.
 *
 * @param body the bytes of the body; decoded texts overwrite their base64
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
    // The usual parser refuses this too, so that no byte is stored as another character.
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
 * The bytes that a base64 text in a request's body stands for, even where it is decoded already; null where it is
 * not base64. The bytes are valid until the handler has answered.
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

/** Releases the buffer of a body, so that the next body can use it. */
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
  // The free buffers are too small, and would otherwise stay for ever.
  places.pop();
  return Buffer.allocUnsafeSlow(Math.ceil(length / mebibyte) * mebibyte);
}

function keepPlace(place: Buffer): void {
  if (place.length >= reusable.least && place.length <= reusable.most && places.length < reusable.places)
    places.push(place);
}

/** Receives a body into one buffer; each part is copied there as it arrives. */
function received(
  request: FastifyRequest,
  payload: IncomingMessage,
): Promise<{ place: Buffer; length: number }> {
  const limit = request.routeOptions.bodyLimit;
  const announced = Number(request.headers['content-length'] ?? reusable.least);
  if (announced > limit) return Promise.reject(new HttpProblem('TOO_LARGE'));
  if (payload.destroyed) return Promise.reject(new HttpProblem('INVALID_REQUEST'));
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
      payload.off('data', take).off('end', ended).off('error', broken).off('close', broken);
      then();
    }
    const ended = (): void => over(() => done({ place, length }));
    // There is no one to answer when a connection breaks.
    const broken = (): void => over(() => fail(new HttpProblem('INVALID_REQUEST')));
    payload.on('data', take).on('end', ended).on('error', broken).on('close', broken);
  });
}
