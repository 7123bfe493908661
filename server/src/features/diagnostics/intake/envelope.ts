import { intakeLimits } from '@portico/contract/diagnostics/intake';
import { jsonShapeProblem } from '../../../platform/http/json-shape.ts';
import { badEnvelope, IntakeProblem } from './intake-problem.ts';

/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** One item of an envelope, its payload a part of the envelope's bytes. */
export type Item = { type: string; header: Json; payload: Buffer };

export type Envelope = { header: Json; items: Item[] };

const newline = 0x0a;

/**
 * Reads an envelope: a line of JSON, then items of a line of JSON and a payload each. A payload has the length
 * that its header names, or ends with its line. Payloads are not looked at, and nothing is copied.
 *
 * @throws IntakeProblem BAD_ENVELOPE, TOO_LARGE
 */
export function readEnvelope(bytes: Buffer): Envelope {
  const first = endOfLine(bytes, 0);
  const header = readHeader(bytes.subarray(0, first));
  const items: Item[] = [];
  let attachments = 0;
  for (let at = first + 1; at < bytes.length;) {
    if (bytes[at] === newline) {
      at += 1;
      continue;
    }
    const end = endOfLine(bytes, at);
    const { item, next } = readItem(
      bytes,
      readHeader(bytes.subarray(at, end)),
      Math.min(end + 1, bytes.length),
    );
    if (item.type === 'attachment') attachments += 1;
    if (items.push(item) > intakeLimits.items || attachments > intakeLimits.attachments) {
      throw new IntakeProblem(
        'TOO_LARGE',
        `An envelope has at most ${intakeLimits.items} items and ${intakeLimits.attachments} attachments.`,
      );
    }
    at = next;
  }
  return { header, items };
}

function readItem(bytes: Buffer, header: Json, from: number): { item: Item; next: number } {
  const { type, length } = header;
  if (typeof type !== 'string') throw badEnvelope('an item has no type');
  if (length === undefined || length === null) {
    const to = endOfLine(bytes, from);
    return { item: { type, header, payload: bytes.subarray(from, to) }, next: to + 1 };
  }
  if (!Number.isSafeInteger(length) || (length as number) < 0) throw badEnvelope('a length is no number');
  const to = from + (length as number);
  if (to > bytes.length) throw badEnvelope('an item is cut off');
  if (to < bytes.length && bytes[to] !== newline) throw badEnvelope('an item is longer than its length');
  return { item: { type, header, payload: bytes.subarray(from, to) }, next: to + 1 };
}

/** Where the line that begins at a place ends; the end of the bytes for the last one. */
function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(newline, from);
  return end < 0 ? bytes.length : end;
}

function readHeader(line: Buffer): Json {
  if (line.length > intakeLimits.header)
    throw badEnvelope(`a header has more than ${intakeLimits.header} bytes`);
  const value = parse(line.toString());
  if (value === null) throw badEnvelope('a header is no JSON object');
  return value;
}

/**
 * Reads a payload that has to be a JSON object.
 *
 * @throws IntakeProblem BAD_ENVELOPE, TOO_LARGE
 */
export function readPayload(payload: Buffer): Json {
  if (payload.length > intakeLimits.event) {
    throw new IntakeProblem('TOO_LARGE', `An item has at most ${intakeLimits.event} bytes.`);
  }
  const text = payload.toString();
  if (jsonShapeProblem(text) !== null)
    throw badEnvelope('an item is nested too deep or has too many entries');
  const value = parse(text);
  if (value === null) throw badEnvelope('an item is no JSON object');
  return value;
}

function parse(text: string): Json | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value where it is an object, and no list. */
export function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** The value where it is a list; else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An event's id as it is stored: 32 hexadecimal digits in lower case; null where it is none. */
export function readEventId(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 36) return null;
  const id = value.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
