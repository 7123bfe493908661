import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id } from '#contract/text.ts';

const mebibyte = 1024 * 1024;

/** The limits of one upload and of all files of one person; sizes are in bytes (FILE-1). */
export const fileLimits = {
  files: 10,
  fileBytes: 10 * mebibyte,
  uploadBytes: 25 * mebibyte,
  ownerBytes: 250 * mebibyte,
} as const;

/** A stored file. `contentType` is read from its bytes; `url` takes the bearer. */
export const storedFile = z.object({
  id,
  filename: z.string(),
  contentType: z.string(),
  /** Bytes. */
  size: z.number(),
  url: z.string(),
});
export type StoredFile = z.infer<typeof storedFile>;

const oneFile = z.object({ fileId: id });

export const uploadFiles = route({
  method: 'POST',
  path: '/v1/files',
  summary: 'Stores the files of the form field `files`, all or none, and answers them in order (FILE-1)',
  access: 'signed-in',
  creates: true,
  form: { field: 'files' },
  answer: z.array(storedFile),
  status: 201,
});

export const getFile = route({
  method: 'GET',
  path: '/v1/files/:fileId',
  summary: 'The bytes of a file, for its owner and for who may read what it belongs to (FILE-1)',
  access: 'signed-in',
  params: oneFile,
  answer: { raw: 'application/octet-stream' },
});

export const deleteFile = route({
  method: 'DELETE',
  path: '/v1/files/:fileId',
  summary: "Removes one's own file; refused while something shows it (FILE-1)",
  access: 'signed-in',
  params: oneFile,
  answer: 'nothing',
});
