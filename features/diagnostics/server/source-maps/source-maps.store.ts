import { sql } from 'kysely';
import { sourceMapLimits, type MappedRelease } from '#features/diagnostics/contract/source-maps.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { StoredContent } from '#server/platform/files/contents.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import { addFile, bytesOf, removeFile } from '#features/files/server/files.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The source maps of a release, applied when a stack is shown. */
    source_map: {
      id: string;
      project_id: number;
      release: string;
      /** Path of the script that the map explains, such as `/assets/main-1a2b.js`. */
      file: string;
      debug_id: string | null;
      file_id: string;
      created_at: number;
      created_by: string | null;
      created_by_id: string | null;
    };
  }
}

/** The owner of the maps' files. It is no person's or token's id, so the files count to no quota. */
const owner = 'source-maps';

/** A stored map and where its bytes are. */
type StoredMap = StoredContent & { file: string; debug_id: string | null };

/** The releases that have maps, those with the latest upload first. */
export async function readMappedReleases(
  read: Reader,
  project: number | undefined,
): Promise<MappedRelease[]> {
  const rows = await read
    .selectFrom('source_map')
    .innerJoin('file', 'file.id', 'source_map.file_id')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'source_map.project_id')
    .select(['project_id', 'release'])
    .select(({ fn }) => [
      fn.countAll<number>().as('files'),
      fn.sum<number | string>('file.size').as('bytes'),
      fn.max('source_map.created_at').as('at'),
      sql<string | null>`max(${authorOf('source_map.created_by')})`.as('by'),
    ])
    .where('removed_at', 'is', null)
    .$if(project !== undefined, (query) => query.where('project_id', '=', project ?? 0))
    .groupBy(['project_id', 'release'])
    .orderBy('at', 'desc')
    .limit(500)
    .execute();
  return rows.map(({ project_id: projectId, release, files, bytes, at, by }) => ({
    projectId,
    release,
    files,
    bytes: Number(bytes),
    uploadedAt: at,
    uploadedBy: by,
  }));
}

/** The bytes of all maps. */
export function bytesOfMaps(read: Reader): Promise<number> {
  return bytesOf(read, owner);
}

type NewMap = {
  projectId: number;
  release: string;
  /** Path of the script that the map explains. */
  file: string;
  debugId: string | null;
  content: StoredContent;
  author: Actor;
};

/**
 * Adds a map, or replaces the map of the same script and release.
 *
 * @returns the map's id, whether it replaced another, and whether it is the first of its release
 * @throws HttpProblem STORAGE_FULL, CONFLICT
 */
export async function putMap(
  { tx, at }: Change,
  map: NewMap,
): Promise<{ id: string; replaced: boolean; first: boolean }> {
  const { projectId, release, file, content } = map;
  const ofRelease = tx
    .selectFrom('source_map')
    .where('project_id', '=', projectId)
    .where('release', '=', release);
  const before = await ofRelease.select(['id', 'file_id']).where('file', '=', file).executeTakeFirst();
  if (before !== undefined) {
    await tx.deleteFrom('source_map').where('id', '=', before.id).execute();
    await removeFile(tx, before.file_id);
  }
  const { files } = await ofRelease
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .executeTakeFirstOrThrow();
  if (files >= sourceMapLimits.filesOfRelease) {
    throw new HttpProblem('CONFLICT', {
      detail: `A release may have ${sourceMapLimits.filesOfRelease} source maps.`,
    });
  }
  refuseFull(await bytesOfMaps(tx), content.size);
  const fileId = await addFile(tx, {
    ...content,
    owner,
    filename: 'source-map.json',
    contentType: 'application/json',
    width: null,
    height: null,
    at,
  });
  const id = newId();
  await tx
    .insertInto('source_map')
    .values({
      id,
      project_id: projectId,
      release,
      file,
      debug_id: map.debugId,
      file_id: fileId,
      created_at: at,
      ...writtenBy('created_by', map.author),
    })
    .execute();
  return { id, replaced: before !== undefined, first: files === 0 && before === undefined };
}

/** Throws STORAGE_FULL where there is no room for `more` bytes. */
export function refuseFull(stored: number, more: number): void {
  if (stored + more <= sourceMapLimits.allBytes) return;
  throw new HttpProblem('STORAGE_FULL', {
    detail: `Source maps may have ${sourceMapLimits.allBytes} bytes altogether. Remove those of an old release first.`,
  });
}

/** Removes up to `most` maps with their files; returns how many were removed. */
export async function removeMaps(
  tx: Writer,
  { project_id: projectId, release }: { project_id: number; release?: string },
  most: number,
): Promise<number> {
  const found = await tx
    .selectFrom('source_map')
    .select(['id', 'file_id'])
    .where('project_id', '=', projectId)
    .$if(release !== undefined, (query) => query.where('release', '=', release ?? ''))
    .limit(most)
    .execute();
  for (const { id, file_id: fileId } of found) {
    await tx.deleteFrom('source_map').where('id', '=', id).execute();
    await removeFile(tx, fileId);
  }
  return found.length;
}

/** The maps that may explain scripts: by their debug ids, else by release and path. */
export async function mapsFor(
  read: Reader,
  projectId: number,
  wanted: { release: string | null; files: readonly string[]; debugIds: readonly string[] },
): Promise<StoredMap[]> {
  const { release, files, debugIds } = wanted;
  if (debugIds.length === 0 && (release === null || files.length === 0)) return [];
  return read
    .selectFrom('source_map')
    .innerJoin('file', 'file.id', 'source_map.file_id')
    .select(['source_map.file', 'debug_id', 'file.hash', 'file.size'])
    .where('project_id', '=', projectId)
    .where((row) =>
      row.or([
        ...(debugIds.length === 0 ? [] : [row('debug_id', 'in', debugIds)]),
        ...(release === null || files.length === 0
          ? []
          : [row.and([row('release', '=', release), row('file', 'in', files)])]),
      ]),
    )
    .orderBy('source_map.created_at', 'desc')
    .execute();
}

/** The bytes of a file in one piece, written chunk by chunk, so that a large one does not block the loop. */
export async function readWhole(
  store: Pick<FileStore, 'read'>,
  content: StoredContent,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(content.size);
  let length = 0;
  for await (const bytes of await store.read(content)) {
    whole.set(bytes as Uint8Array, length);
    length += (bytes as Uint8Array).byteLength;
  }
  return whole;
}

/**
 * The paths under which the source map of a script may have been uploaded, the best first: its path without
 * origin, query and fragment, then without its first folders, since builds are uploaded from a folder that is
 * not the root where they run.
 */
export function pathsOfScript(file: string): string[] {
  const path = pathOf(file);
  if (path === null) return [];
  const parts = path.split('/').slice(1);
  return parts.map((_, index) => `/${parts.slice(index).join('/')}`).slice(0, 12);
}

function pathOf(file: string): string | null {
  if (file === '' || file.startsWith('node:') || file.includes('<')) return null;
  // `app:///` is what SDKs put in place of the folder of an installed application.
  const path = URL.canParse(file) ? new URL(file).pathname : `/${file.replace(/^\.?\/+/, '')}`;
  const plain = path.replaceAll('\\', '/').replace(/[?#].*$/s, '');
  return /\.[cm]?jsx?$/.test(plain) ? plain : null;
}

/** A debug id as it is compared: 32 hexadecimal digits in lower case. */
export function normalDebugId(debugId: string): string {
  return debugId.toLowerCase().replaceAll('-', '');
}
