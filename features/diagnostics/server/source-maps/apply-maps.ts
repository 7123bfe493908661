import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorSample, StackFrame } from '#features/diagnostics/contract/diagnostics.ts';
import { ownProject } from '#features/diagnostics/contract/projects.ts';
import { sourceMapLimits } from '#features/diagnostics/contract/source-maps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import { targetBelow } from '#server/platform/http/paths.ts';
import { normalDebugId, pathsOfScript, mapsFor, readWhole } from './source-maps.store.ts';
import type { OriginalPlace } from './trace-thread.ts';
import type { ReadableMap, Tracer } from './tracer.ts';

/** The source maps of Portico's own web, which its build leaves next to the scripts. */
type OwnMaps = {
  /** The map of a script by its path, or null. */
  find(path: string): Promise<ReadableMap | null>;
};

/** Scripts of one event whose maps are looked for. */
const mostScripts = 30;

export type MapParts = {
  read: Reader;
  store: Pick<FileStore, 'read'>;
  tracer: Tracer;
  /** The maps of Portico's own web. */
  own: OwnMaps;
};

/** The parts of an event that decide which source maps apply. */
type MapSource = { projectId: number; release: string | null; event: unknown };

/**
 * Puts the original places into the stacks of an event, as far as source maps are stored. Nothing is ever
 * fetched; the frames of a map that cannot be read stay as they were sent.
 */
export async function applyMaps(parts: MapParts, sample: ErrorSample, from: MapSource): Promise<ErrorSample> {
  const scripts = [
    ...new Set(sample.errors.flatMap(({ frames }) => frames.filter(isTraceable).map(({ file }) => file))),
  ].slice(0, mostScripts);
  if (scripts.length === 0) return sample;
  const maps = await mapsOfScripts(parts, scripts, from);
  const places = new Map<StackFrame, OriginalPlace>();
  for (const [script, map] of maps) {
    const frames = sample.errors.flatMap((error) =>
      error.frames.filter((frame) => frame.file === script && isTraceable(frame)),
    );
    const traced = await parts.tracer
      .trace(
        map,
        frames.map(({ line, column }) => ({ line: line ?? 0, column: (column ?? 1) - 1 })),
      )
      .catch(() => []);
    for (const [index, place] of traced.entries()) {
      const frame = frames[index];
      if (frame !== undefined && place !== null) places.set(frame, place);
    }
  }
  return {
    ...sample,
    errors: sample.errors.map((error) => ({
      ...error,
      frames: error.frames.map((frame, index) =>
        originalFrame(frame, places.get(frame), callerOf(error.frames, index, places)),
      ),
    })),
    withoutSourceMap: scripts.filter((script) => !maps.has(script) && isFromBrowser(script)),
  };
}

function isTraceable({ file, line, column }: StackFrame): boolean {
  return line !== null && column !== null && pathsOfScript(file).length > 0;
}

/** Whether a script needs a source map: a script that Node runs is often its own source. */
function isFromBrowser(script: string): boolean {
  return /^https?:/.test(script);
}

async function mapsOfScripts(
  { read, store, own }: MapParts,
  scripts: readonly string[],
  { projectId, release, event }: MapSource,
): Promise<Map<string, ReadableMap>> {
  const debugIds = debugIdsOf(event);
  const stored = await mapsFor(read, projectId, {
    release,
    files: scripts.flatMap(pathsOfScript),
    debugIds: scripts.flatMap((script) => debugIds.get(script) ?? []),
  });
  const found = new Map<string, ReadableMap>();
  for (const script of scripts) {
    const debugId = debugIds.get(script);
    const byId = debugId === undefined ? undefined : stored.find((map) => map.debug_id === debugId);
    const byPath = pathsOfScript(script)
      .map((path) => stored.find((map) => map.file === path))
      .find((map) => map !== undefined);
    const map = byId ?? byPath;
    if (map !== undefined) {
      found.set(script, { key: map.hash, read: () => readWhole(store, map) });
      continue;
    }
    const built = projectId === ownProject ? await own.find(pathsOfScript(script)[0] ?? '') : null;
    if (built !== null) found.set(script, built);
  }
  return found;
}

/** The debug ids of scripts by their addresses (develop.sentry.dev, "Debug Meta Interface"). */
function debugIdsOf(event: unknown): Map<string, string> {
  const images = (event as { debug_meta?: { images?: unknown } } | null)?.debug_meta?.images;
  const known = new Map<string, string>();
  for (const image of Array.isArray(images) ? images.slice(0, 500) : []) {
    const { code_file: file, debug_id: id } = (image ?? {}) as Record<string, unknown>;
    if (typeof file === 'string' && typeof id === 'string') known.set(file, normalDebugId(id));
  }
  return known;
}

/** The original place of the call that led to a frame. */
function callerOf(
  frames: readonly StackFrame[],
  index: number,
  places: ReadonlyMap<StackFrame, OriginalPlace>,
): OriginalPlace | undefined {
  const caller = frames[index + 1];
  return caller === undefined ? undefined : places.get(caller);
}

function originalFrame(
  frame: StackFrame,
  place: OriginalPlace | undefined,
  caller: OriginalPlace | undefined,
): StackFrame {
  if (place === undefined) return frame;
  const file = shownSource(place.source);
  return {
    file,
    // The function's name as its caller writes it: the script itself has a short name.
    function: callee(caller) ?? frame.function,
    line: place.line,
    column: place.column + 1,
    inApp: frame.inApp && !/(?:^|\/)node_modules\//.test(file),
    context: place.context,
    variables: frame.variables,
    generated: { file: frame.file, function: frame.function, line: frame.line, column: frame.column },
  };
}

/** The name, if it can be a function's: maps also name other things, such as texts. */
function callee(caller: OriginalPlace | undefined): string | null {
  const name = caller?.name ?? '';
  return /^[\p{ID_Start}$_#][\p{ID_Continue}$.#]{0,199}$/u.test(name) ? name : null;
}

/** A source's name without what bundlers put before it, as one line. */
function shownSource(source: string): string {
  return source
    .replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/^(?:webpack|vite|turbopack|rollup):\/\/[^/]*\//, '')
    .replace(/^(?:\.{0,2}\/)+/, '')
    .slice(0, 300);
}

/**
 * @param webDir the built web; its maps are read from there, and never served
 * @param basePath the prefix of the paths of its scripts
 */
export function ownMaps(webDir: string, basePath: string): OwnMaps {
  return {
    async find(script) {
      const path = targetBelow(script, basePath) ?? '';
      if (!/^(?:\/[\w-][\w.-]*)+\.js$/.test(path)) return null;
      const file = join(webDir, `${path}.map`);
      const found = await stat(file).catch(() => null);
      if (found === null || !found.isFile() || found.size > sourceMapLimits.fileBytes) return null;
      return {
        key: `own ${path} ${found.mtimeMs}`,
        read: async () => new Uint8Array(await readFile(file)),
      };
    },
  };
}
