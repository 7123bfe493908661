import { useState } from 'react';
import { useStore } from '../platform/state/use-store.ts';
import { useApp } from './app-context.tsx';

/** The rights of the signed-in person, their loading state, and how to load them again. */
export function useOwnRights() {
  const { permissions } = useApp();
  const { status, rights } = useStore(permissions.state);
  const [loading, setLoading] = useState(false);
  const reload = () => {
    setLoading(true);
    void permissions.refresh().finally(() => setLoading(false));
  };
  return { status, rights, reload, loading };
}
