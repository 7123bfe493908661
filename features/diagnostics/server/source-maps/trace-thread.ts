import { parentPort } from 'node:worker_threads';
import {
  decodedMappings,
  FlattenMap,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping';
import { LRUCache } from 'lru-cache';
import { excessOf } from '#server/platform/http/json-shape.ts';

// A thread that reads source maps: they are parsed as a whole, which would block the event loop.

/** A place in a script: the line counted from 1, the column from 0. */
export type ScriptPlace = { line: number; column: number };

export type OriginalPlace = {
  source: string;
  line: number;
  column: number;
  /** What the source calls the thing at this place; null where the map does not name it. */
  name: string | null;
  /** The source lines around the place, including its own; empty where the map has no sources. */
  context: { line: number; text: string }[];
};

export type TraceRequest = { id: number } & (
  | { kind: 'check'; bytes: Uint8Array }
  /** Without `bytes`, the map is only looked up among the maps that the thread holds. */
  | { kind: 'trace'; key: string; bytes: Uint8Array | null; places: readonly ScriptPlace[] }
);
export type TraceAnswer = { id: number } & (
  | { fault: string | null }
  | { places: (OriginalPlace | null)[] | null }
);

/** Size of the cache of maps, in uploaded bytes: parsed maps take several times as much memory. */
const heldBytes = 48 * 1024 * 1024;
const most = { mappings: 24_000_000, sources: 50_000, sections: 1_000 } as const;
/**
 * Limits of a map's JSON. A parser that runs out of memory within lists and objects ends the whole process, and
 * not only this thread.
 */
const shape = { levels: 64, members: 500_000, entries: Number.POSITIVE_INFINITY };
const around = 5;
const longestLine = 300;

type Held = { map: TraceMap; bytes: number };
const held = new LRUCache<string, Held>({ maxSize: heldBytes, sizeCalculation: ({ bytes }) => bytes });

/** Throws an error whose message is shown to the uploader. */
function read(bytes: Uint8Array): TraceMap {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const excess = excessOf(text, shape);
  if (excess === 'levels') throw new Error(`is nested more than ${shape.levels} levels deep`);
  if (excess !== null) throw new Error(`has more than ${shape.members} names, lists and objects`);
  const json: unknown = JSON.parse(text);
  const fault = faultOf(json);
  if (fault !== null) throw new Error(fault);
  const map = new FlattenMap(json as ConstructorParameters<typeof FlattenMap>[0]);
  // Decodes the mappings at once, so that a map with broken mappings is refused at once.
  decodedMappings(map);
  return map;
}

function faultOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'is not a source map';
  const { version, mappings, sources, sections } = json as Record<string, unknown>;
  if (version !== 3) return 'is not a source map of version 3';
  if (Array.isArray(sections)) {
    if (sections.length > most.sections) return `has more than ${most.sections} sections`;
    for (const section of sections as unknown[]) {
      const inner = (section as { map?: unknown } | null)?.map;
      const fault =
        inner === undefined || hasSections(inner) ? 'has a section without a map' : faultOf(inner);
      if (fault !== null) return fault;
    }
    return null;
  }
  if (typeof mappings !== 'string' || !Array.isArray(sources)) return 'has no mappings or no sources';
  if (mappings.length > most.mappings) return `has more than ${most.mappings} characters of mappings`;
  if (!/^[A-Za-z0-9+/,;]*$/.test(mappings)) return 'has mappings that are not base64 VLQ';
  if (sources.length > most.sources) return `has more than ${most.sources} sources`;
  return sources.every((source) => source === null || typeof source === 'string')
    ? null
    : 'has a source without a name';
}

function hasSections(map: unknown): boolean {
  return typeof map === 'object' && map !== null && 'sections' in map;
}

function trace(map: TraceMap, place: ScriptPlace): OriginalPlace | null {
  if (place.line < 1 || place.column < 0) return null;
  const found = originalPositionFor(map, place);
  // A map may name sources and names that it does not have, or that are no text.
  if (typeof found.source !== 'string') return null;
  return {
    source: found.source,
    line: found.line,
    column: found.column,
    name: typeof found.name === 'string' ? found.name : null,
    context: contextOf(sourceContentFor(map, found.source), found.line),
  };
}

function contextOf(content: string | null, line: number): OriginalPlace['context'] {
  if (typeof content !== 'string') return [];
  const first = Math.max(1, line - around);
  const context: OriginalPlace['context'] = [];
  let start = 0;
  for (let number = 1; number <= line + around; number += 1) {
    const end = content.indexOf('\n', start);
    if (number >= first) {
      const text = content.slice(start, end === -1 ? undefined : end).replace(/\r$/, '');
      context.push({ line: number, text: text.slice(0, longestLine) });
    }
    if (end === -1) break;
    start = end + 1;
  }
  return context.some((each) => each.line === line) ? context : [];
}

function answer(request: TraceRequest): TraceAnswer {
  const { id } = request;
  if (request.kind === 'check') {
    try {
      read(request.bytes);
      return { id, fault: null };
    } catch (error) {
      return { id, fault: error instanceof Error ? error.message.slice(0, 200) : 'cannot be read' };
    }
  }
  try {
    let map = held.get(request.key)?.map;
    if (map === undefined) {
      if (request.bytes === null) return { id, places: null };
      map = read(request.bytes);
      held.set(request.key, { map, bytes: Math.max(1, request.bytes.byteLength) });
    }
    const known = map;
    return { id, places: request.places.map((place) => trace(known, place)) };
  } catch {
    // The map was checked when it was uploaded; a file that was changed since then explains nothing.
    return { id, places: request.places.map(() => null) };
  }
}

parentPort?.on('message', (request: TraceRequest) => parentPort?.postMessage(answer(request), []));
