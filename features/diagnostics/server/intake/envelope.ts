import { intakeLimits } from '#features/diagnostics/contract/intake.ts';
import { jsonShapeProblem } from '#server/platform/http/json-shape.ts';
import { badEnvelope, IntakeProblem } from './intake-problem.ts';
import { lineOf } from './text-of.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Limits: levels; names of the outermost object; entries of one member, to leave room for others; all entries. */
const most = { levels: 40, names: 200, ofMember: 4_000, all: 20_000 };

/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** One item of an envelope. `payload` shares the envelope's bytes; `type` is empty where the item has none. */
export type Item = { type: string; header: Json; payload: Buffer };

/** A part of an envelope that is not stored: what it is, and why. */
export type Dropped = { name: string; reason: string };

export type Envelope = {
  header: Json;
  items: Item[];
  /** Why the bytes after `items` could not be read; null where all were read. */
  fault: IntakeProblem | null;
  /** Parts that were left out while reading; undefined means none. */
  dropped?: Dropped[];
};

const newline = 0x0a;

/**
 * Reads an envelope: a line of JSON, then items of a line of JSON and a payload each. A payload has the length
 * that its header names, or ends with its line. Payloads are not parsed, and nothing is copied. Items before
 * an unreadable item are returned all the same.
 *
 * @throws IntakeProblem BAD_ENVELOPE where the first line cannot be read
 */
export function readEnvelope(bytes: Buffer): Envelope {
  const first = endOfLine(bytes, 0);
  const header = readHeader(bytes.subarray(0, first));
  const items: Item[] = [];
  const envelope = (fault: IntakeProblem | null): Envelope => ({ header, items, fault });
  for (let at = first + 1; at < bytes.length;) {
    if (bytes[at] === newline) {
      at += 1;
      continue;
    }
    if (items.length === intakeLimits.items) {
      return envelope(new IntakeProblem('TOO_LARGE', `An envelope has at most ${intakeLimits.items} items.`));
    }
    const end = endOfLine(bytes, at);
    try {
      const { item, next } = readItem(
        bytes,
        readHeader(bytes.subarray(at, end)),
        Math.min(end + 1, bytes.length),
      );
      items.push(item);
      at = next;
    } catch (error) {
      if (error instanceof IntakeProblem) return envelope(error);
      throw error;
    }
  }
  return envelope(null);
}

function readItem(bytes: Buffer, header: Json, from: number): { item: Item; next: number } {
  const length = /^\d{1,9}$/.test(String(header['length'])) ? Number(header['length']) : header['length'];
  const type = lineOf(header['type'], 100);
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

/** The end of the line that begins at `from`; for the last line, the end of the bytes. */
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
 * Reads a payload that has to be a JSON object; what is nested too deep in it, or has too many entries, is cut.
 *
 * @throws IntakeProblem BAD_ENVELOPE, TOO_LARGE
 */
export function readPayload(payload: Buffer): Json {
  if (payload.length > intakeLimits.event) {
    throw new IntakeProblem('TOO_LARGE', `An item has at most ${intakeLimits.event} bytes.`);
  }
  const text = payload.toString();
  const within = jsonShapeProblem(text) === null ? text : prunedJson(text);
  const value = within === null ? null : parse(within);
  if (value === null) throw badEnvelope('an item is no JSON object');
  return value;
}

/** Whole numbers that a double cannot hold: their digits are stored instead of another number. */
const largeNumber = /\d{16}|\d[eE]\+?\d{3}/;

function parse(text: string): Json | null {
  try {
    return asObject(largeNumber.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text));
  } catch {
    return null;
  }
}

function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) || !Number.isFinite(value) ? source : value;
}

/** The value if it is an object and not a list; else null. */
export function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** The value where it is a list; else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The entries of a list, or of an object with indexes as names, as PHP writes a list with gaps. Any other value
 * becomes the only entry; a missing value gives an empty list.
 */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null) return [];
  const object = asObject(value);
  const isByIndex = object !== null && Object.keys(object).every((key) => /^\d+$/.test(key));
  return isByIndex ? Object.values(object) : [value];
}

/**
 * Names and values, however they are written: as an object, as pairs, as objects with `key` or `name` and
 * `value`, as a list, or as one value.
 */
export function pairsOf(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => {
      if (Array.isArray(each) && each.length === 2) return [String(each[0]), each[1]];
      const { key, name = key, value: own } = asObject(each) ?? {};
      return typeof name === 'string' && own !== undefined ? [name, own] : [String(index), each];
    });
  }
  const object = asObject(value);
  if (object !== null) return Object.entries(object);
  return value === undefined || value === null ? [] : [['value', value]];
}

/**
 * Reads a time as seconds since 1970. SDKs send seconds, or ISO 8601, which is UTC where it names no zone; others
 * send milliseconds or smaller units. Null for a value that is no time.
 */
export function readTime(value: unknown): number | null {
  const text = typeof value === 'string' && value.length < 40 ? value.trim() : '';
  let seconds = typeof value === 'number' ? value : /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(seconds) && text !== '') {
    const hasZone = !/[T ]\d\d:/.test(text) || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
    seconds = Date.parse(hasZone ? text : `${text}Z`) / 1000;
  }
  while (seconds >= 1e11 && seconds < 1e21) seconds /= 1000;
  return seconds > 0 && seconds < 1e11 ? seconds : null;
}

/** An event's id as it is stored: 32 hexadecimal digits in lower case; null for any other value. */
export function readEventId(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 36) return null;
  const id = value.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

/**
 * Cuts a JSON text to the limits: values that are nested too deep become `null`, and lists and objects end where
 * they have too many entries. It takes one pass without recursion; the parser checks whether the rest is JSON.
 *
 * @returns null where a list or an object does not end, or is not the whole text
 */
export function prunedJson(text: string): string | null {
  let kept = '';
  let copied = 0;
  let level = 0;
  let names = 0;
  let ofMember = 0;
  let all = 0;

  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const opens = unit === openList || unit === openObject;
    if (unit === quote) at = endOfString(text, at);
    else if (unit === closeList || unit === closeObject) level -= 1;
    else if (opens || unit === comma) {
      if (unit === comma && level === 1) {
        names += 1;
        ofMember = 0;
      }
      all += 1;
      ofMember += 1;
      if (level === 0 && !opens) return null;
      const isTooMuch =
        level === 0
          ? false
          : level === 1 && !opens
            ? names >= most.names
            : ofMember > most.ofMember || all > most.all;
      if (!isTooMuch && !(opens && level >= most.levels)) {
        level += opens ? 1 : 0;
        continue;
      }
      // A nested value is left out with its closing bracket; the rest of a list or an object without it.
      const end = endOfContainer(text, at + 1);
      if (end < 0) return null;
      kept += text.slice(copied, at) + (opens ? 'null' : '');
      copied = opens ? end + 1 : end;
      at = copied - 1;
    }
  }
  return kept + text.slice(copied);
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** The end of the list or object that contains the place `inside`; -1 where it has no end. */
function endOfContainer(text: string, inside: number): number {
  let level = 1;
  for (let at = inside; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else if (unit === openList || unit === openObject) level += 1;
    else if (unit === closeList || unit === closeObject) {
      level -= 1;
      if (level === 0) return at;
    }
  }
  return -1;
}
