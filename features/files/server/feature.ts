import type { Kysely } from 'kysely';
import { feature } from '#server/feature.ts';
import { Readable } from 'node:stream';
import { deleteFile, fileLimits, getFile, uploadFiles } from '#features/files/contract/files.ts';
import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import type { Core } from '#server/core.ts';
import type { Ground } from '#server/ground.ts';
import type { Change } from '#server/platform/database/database.ts';
import { namesEtag } from '#server/platform/http/prepared-answers.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import { HttpProblem, invalid } from '#server/platform/http/http-problem.ts';
import { type FormFile, readForm, roundFileBytes } from '#server/platform/http/read-form.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { StoredContent } from '#server/platform/files/contents.ts';
import { addFile, bytesOf, fileOf, isShown, removeFile, type StoredFile } from './files.store.ts';
import { isPicture, type Kind, watchKind } from './kind.ts';
import { cleanFilename } from './filename.ts';

/** A file whose bytes are stored and which has no row yet. */
type ReceivedFile = StoredContent & Kind & { filename: string };

const formBytes = fileLimits.uploadBytes + (fileLimits.files + 1) * roundFileBytes;

function filesRoutes(serve: Serve, core: Core, { files: { store, readers }, rightsOf }: Ground): void {
  const { database } = core;
  /** Uploads by caller. */
  const limit = core.rateLimit({ burst: 30, perSecond: 0.5 });
  /** Limits uploaded bytes by caller, also those of refused uploads: what was written of them stays until a sweep. */
  const bytesLimit = core.rateLimit({
    burst: 2 * fileLimits.ownerBytes,
    perSecond: fileLimits.ownerBytes / 3_600,
  });

  serve(uploadFiles, async ({ body, caller, request }) => {
    limit.take(caller.id);
    refuseFull((await bytesOf(database.read, caller.id)) + 1);
    bytesLimit.take(caller.id, Math.min(formBytes, Number(request.headers['content-length'] ?? formBytes)));
    const form = { headers: request.headers, field: 'files', files: fileLimits.files, bytes: formBytes };
    const received = await readForm(body, form, createReceiver(store));
    return database.change((change) => add(change, caller, received));
  });

  // A caller who may not read a file does not learn whether it exists.
  serve(getFile, async ({ params, caller, request, reply }) => {
    const file = await fileOf(database.read, params.fileId);
    if (file === null || !(await mayRead(file, caller))) throw noSuchFile();
    const etag = `"${file.hash}"`;
    reply.headers({
      // Cached by the browser alone, which asks each time: the right to read it may end.
      'cache-control': 'private, no-cache',
      etag,
      'content-disposition': contentDisposition(
        isPicture(file.contentType) ? 'inline' : 'attachment',
        file.filename,
      ),
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    reply.header('content-length', file.size);
    reply.type(file.contentType === 'text/plain' ? 'text/plain; charset=utf-8' : file.contentType);
    // Without a stream the framework would take the length for 0.
    return reply.send(request.method === 'HEAD' ? Readable.from([]) : await store.read(file));
  });

  serve(deleteFile, ({ params, caller }) =>
    database.change(async ({ tx }) => {
      const file = await fileOf(tx, params.fileId);
      if (file === null || file.owner !== caller.id) throw noSuchFile();
      if (await isShown(tx, file.id))
        throw new HttpProblem('FILE_IN_USE', { detail: 'A profile or a report shows this file.' });
      await removeFile(tx, file.id);
    }),
  );

  async function mayRead(file: StoredFile, caller: Caller): Promise<boolean> {
    if (file.owner === caller.id) return true;
    const rights = await rightsOf(caller);
    for (const reader of readers) {
      if (await reader(database.read, file, caller, rights)) return true;
    }
    return false;
  }
}

/** Adds all files of an upload or none; as changes run in turn, no two use the last free bytes. */
async function add({ tx, at }: Change, caller: Caller, received: readonly ReceivedFile[]) {
  const bytes = received.reduce((sum, { size }) => sum + size, 0);
  refuseFull((await bytesOf(tx, caller.id)) + bytes);
  const files = [];
  for (const { hash, width, height, ...file } of received) {
    const id = await addFile(tx, { ...file, hash, width, height, owner: caller.id, at });
    files.push({ ...file, id, url: `/v1/files/${id}` });
  }
  return files;
}

function refuseFull(bytes: number): void {
  if (bytes <= fileLimits.ownerBytes) return;
  throw new HttpProblem('STORAGE_FULL', {
    detail: `Your files may have ${fileLimits.ownerBytes} bytes altogether. Remove some first.`,
  });
}

function noSuchFile(): HttpProblem {
  return new HttpProblem('NOT_FOUND', { detail: 'There is no such file.' });
}

/**
 * Takes the files of one upload, one after the other. Throws TOO_LARGE where one file or all together are too
 * large, and INVALID_BODY for an empty file and for a picture that no browser should have to unpack.
 */
function createReceiver(store: FileStore): (file: FormFile) => Promise<ReceivedFile> {
  let left: number = fileLimits.uploadBytes;

  return async function receive({ index, filename, bytes }) {
    const watched = watchKind(bytes);
    const most = Math.min(fileLimits.fileBytes, left);
    const content = await store.write(watched.bytes, most).catch((error: unknown) => {
      throw error instanceof HttpProblem && error.code === 'TOO_LARGE' ? tooLarge(index, most) : error;
    });
    left -= content.size;
    if (content.size === 0) throw invalid(at(index), 'too_small', 'is empty');
    const kind = await watched.kind();
    refuseHuge(kind, index);
    return { ...content, ...kind, filename: cleanFilename(filename) };
  };
}

function refuseHuge({ width, height }: Kind, index: number): void {
  if (width === null || height === null) return;
  const { pictureSide, picturePixels } = feedbackLimits;
  if (width <= pictureSide && height <= pictureSide && width * height <= picturePixels) return;
  const most = `must have at most ${pictureSide} pixels on a side and ${picturePixels} altogether`;
  throw invalid(at(index), 'too_big', most);
}

function tooLarge(index: number, most: number): HttpProblem {
  const all = most < fileLimits.fileBytes;
  const detail = all
    ? `The files of an upload may have ${fileLimits.uploadBytes} bytes together.`
    : `A file may have ${fileLimits.fileBytes} bytes.`;
  return new HttpProblem('TOO_LARGE', {
    detail,
    errors: [{ pointer: at(index), code: 'too_big', message: 'is too large' }],
  });
}

function at(index: number): string {
  return `/files/${index}`;
}

/**
 * The header with a file's name and whether it may be shown (RFC 6266): the name twice, plain for old clients
 * and whole in UTF-8 (RFC 8187).
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replaceAll(/[^\u0020-\u007e]|["\\%]/gu, '_');
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

export const filesFeature = feature({
  create: (core, ground) => ({
    ...ground.files,
    routes: (serve) => filesRoutes(serve, core, ground),
  }),
  fates: {
    file: { own: ['id', 'owner', 'filename', 'content_type', 'hash'] },
  },
  migrations: { '0059-object-contents': { up: createObjectContents } },
});

/** Which contents of files are in an object store, wait to be sent to it, or are being removed from it. */
async function createObjectContents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('object_content')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('object_content_state').on('object_content').columns(['state', 'at']).execute();
}
