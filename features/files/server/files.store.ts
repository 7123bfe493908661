import type { Caller } from '#server/platform/http/access-check.ts';
import type { Reader, Writer } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { StoredContent } from '#server/platform/files/contents.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What was uploaded; the bytes are the file store's, by their hash. */
    file: {
      id: string;
      /** Person or API token that uploaded it, or null: a sender who was not signed in. */
      owner: string | null;
      filename: string;
      content_type: string;
      size: number;
      /** Pixels; null where it is no picture. */
      width: number | null;
      height: number | null;
      /** SHA-256 of the bytes, hexadecimal. */
      hash: string;
      created_at: number;
    };
  }
}

/** Whether a caller may read a file because of what it belongs to; owners always may. */
export type FileReader = (
  read: Reader,
  file: StoredFile,
  caller: Caller,
  rights: ReadonlySet<string>,
) => Promise<boolean>;

/** A file as stored; its bytes are in the file store. */
export type StoredFile = StoredContent & {
  id: string;
  /** The person or API token that uploaded it, or null: a sender who was not signed in. */
  owner: string | null;
  filename: string;
  /** The type found in its bytes. */
  contentType: string;
  /** Pixels; null where it is no picture. */
  width: number | null;
  height: number | null;
  createdAt: number;
};

/** A file whose bytes the file store has written; `at` is the time of the change that adds it. */
export type NewFile = Omit<StoredFile, 'id' | 'createdAt'> & { at: number };

/** Adds a file; answers its id. Its bytes must be less than an hour old, or a sweep may have removed them. */
export async function addFile(tx: Writer, file: NewFile): Promise<string> {
  const id = newId();
  await tx
    .insertInto('file')
    .values({
      id,
      owner: file.owner,
      filename: file.filename,
      content_type: file.contentType,
      size: file.size,
      width: file.width,
      height: file.height,
      hash: file.hash,
      created_at: file.at,
    })
    .execute();
  return id;
}

/** A file, or null. */
export async function fileOf(read: Reader, id: string): Promise<StoredFile | null> {
  const row = await read.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const { content_type: contentType, created_at: createdAt, ...rest } = row;
  return { ...rest, contentType, createdAt };
}

/** Removes a file, which nothing may show any more. A sweep removes the bytes if no other file has the same. */
export async function removeFile(tx: Writer, id: string): Promise<void> {
  await tx.deleteFrom('file').where('id', '=', id).execute();
}

/**
 * The bytes of all files of an owner (null: of all senders who were not signed in), the same content counted
 * as often as it was uploaded.
 */
export async function bytesOf(read: Reader, owner: string | null): Promise<number> {
  const { bytes } = await read
    .selectFrom('file')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .where('owner', owner === null ? 'is' : '=', owner)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Whether a profile, a report or a source map has a file, so that it must stay. */
export async function isShown(read: Reader, fileId: string): Promise<boolean> {
  const shown = await read
    .selectFrom('profile')
    .select('avatar as id')
    .where('avatar', '=', fileId)
    .unionAll(read.selectFrom('report_picture').select('file_id as id').where('file_id', '=', fileId))
    .unionAll(read.selectFrom('source_map').select('file_id as id').where('file_id', '=', fileId))
    .limit(1)
    .executeTakeFirst();
  return shown !== undefined;
}
