import { deleteFile, uploadFiles as uploadRoute, type StoredFile } from '#features/files/contract/files.ts';
import type { Api, OnProgress } from '../calls/call.ts';
import type { ErrorRecord } from '../record-error.ts';

/**
 * Uploads all files or none, and resolves to them in order. After a failure, which is recorded, the list is empty
 * (FILE-1); so it is after the person has cancelled the upload, which is no failure.
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
  /** Called with the error, for a caller that distinguishes failures. */
  onFailure?: (error: unknown) => void;
};

export type OwnFiles = {
  /** As `uploadFiles`. */
  upload(files: readonly File[], options?: UploadOptions): Promise<StoredFile[]>;
  /** Removes a file that is no longer used. A failure is only recorded, since the file then just takes up space. */
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
