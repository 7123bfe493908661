import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import { type FileAddress, type FileAddresses, noFile } from './file-addresses.ts';
import type { Readable } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';

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
