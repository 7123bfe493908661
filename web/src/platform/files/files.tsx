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
 * The address at which a file can be shown or saved, as long as this component is mounted: a `blob:` address,
 * loaded with the bearer token and shared by all components that show the same file. null: no file.
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
