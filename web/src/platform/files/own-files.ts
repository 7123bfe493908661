import { deleteFile, uploadFiles as uploadRoute, type StoredFile } from '#features/files/contract/files.ts';
import type { Api, OnProgress } from '../calls/call.ts';
import type { ErrorRecord } from '../record-error.ts';

/**
 * Uploads files, all or none, and resolves to them in order. A failure is recorded and yields an empty list
 * (FILE-1); so does an upload that the person has cancelled, which is no failure.
 */
export async function uploadFiles(
  api: Pick<Api, 'upload'>,
  errors: ErrorRecord,
  files: readonly File[],
  { onFailure, ...options }: UploadOptions = {},
): Promise<StoredFile[]> {
  try {
    return await api.upload(uploadRoute, files, options);
  } catch (error) {
    if (options.signal?.aborted !== true) {
      errors.record('files.upload', error);
      onFailure?.(error);
    }
    return [];
  }
}

export type UploadOptions = {
  onProgress?: OnProgress;
  signal?: AbortSignal;
  /** For a caller that distinguishes failures. */
  onFailure?: (error: unknown) => void;
};

export type OwnFiles = {
  /** As `uploadFiles`. */
  upload(files: readonly File[], options?: UploadOptions): Promise<StoredFile[]>;
  /** Removes a file that nothing shows any more. A failure is recorded: the file then only takes up space. */
  remove(fileId: string): Promise<void>;
};

/** The files of the signed-in person. */
export function createOwnFiles(api: Pick<Api, 'call' | 'upload'>, errors: ErrorRecord): OwnFiles {
  return {
    upload: (files, options) => uploadFiles(api, errors, files, options),
    remove: (fileId) =>
      api
        .call(deleteFile, { params: { fileId } })
        .catch((error: unknown) => errors.record('files.remove', error)),
  };
}
