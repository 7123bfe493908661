import { deleteFile, uploadFiles as uploadRoute, type StoredFile } from '@portico/contract/files';
import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import type { Api, OnProgress } from './call.ts';
import { type FileAddress, type FileAddresses, noFile } from './file-addresses.ts';
import type { ErrorRecord } from './record-error.ts';
import type { Readable } from './store.ts';
import { useStore } from './use-store.ts';

/**
 * Uploads files, all or none, and answers them in order. A failure is recorded and yields an empty list (FILE-1); so does an
 * upload that the person has cancelled, which is no failure.
 */
export async function uploadFiles(
  api: Pick<Api, 'upload'>,
  errors: ErrorRecord,
  files: readonly File[],
  options: { onProgress?: OnProgress; signal?: AbortSignal } = {},
): Promise<StoredFile[]> {
  try {
    return await api.upload(uploadRoute, files, options);
  } catch (error) {
    if (options.signal?.aborted !== true) errors.record('files.upload', error);
    return [];
  }
}

export type OwnFiles = {
  /** As `uploadFiles`. */
  upload(
    files: readonly File[],
    options?: { onProgress?: OnProgress; signal?: AbortSignal },
  ): Promise<StoredFile[]>;
  /** Removes a file that nothing shows any more. A failure is recorded: the file takes up room, and that is all. */
  remove(fileId: string): Promise<void>;
};

/** The files of who is signed in. */
export function createOwnFiles(api: Pick<Api, 'call' | 'upload'>, errors: ErrorRecord): OwnFiles {
  return {
    upload: (files, options) => uploadFiles(api, errors, files, options),
    remove: (fileId) =>
      api
        .call(deleteFile, { params: { fileId } })
        .catch((error: unknown) => errors.record('files.remove', error)),
  };
}

const context = createContext<FileAddresses | null>(null);

export function ProvideFileAddresses({ value, children }: { value: FileAddresses; children: ReactNode }) {
  return <context.Provider value={value}>{children}</context.Provider>;
}

const none: Readable<FileAddress> = { get: () => noFile, subscribe: () => () => {} };

/**
 * The address under which a file can be shown or saved here, for as long as this component shows it: a `blob:` address,
 * loaded with the bearer and shared by all who show the same file. null is no file.
 */
export function useFileAddress(fileId: string | null): FileAddress & { retry: () => void } {
  const addresses = useContext(context);
  if (addresses === null) throw new Error('The addresses of files are not provided here.');
  const source = useMemo(() => (fileId === null ? none : addresses.of(fileId)), [addresses, fileId]);
  const state = useStore(source);
  const retry = useCallback(() => {
    if (fileId !== null) addresses.retry(fileId);
  }, [addresses, fileId]);
  return useMemo(() => ({ ...state, retry }), [state, retry]);
}
