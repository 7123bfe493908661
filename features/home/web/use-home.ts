import { getHome, type Home } from '#features/home/contract/home.ts';
import { useCallback, useEffect, useState } from 'react';
import { useApi } from '#web/platform/contexts.tsx';

/**
 * What the home screen shows, loaded when it opens, after each change, and on return to the tab.
 *
 * @param changes grows when it has changed
 */
export function useHome(changes: number) {
  const api = useApi();
  const [home, setHome] = useState<Home | 'unknown' | 'failed'>('unknown');
  const [busy, setBusy] = useState(false);
  const load = useCallback(
    (signal: AbortSignal) =>
      api.call(getHome, {}, { signal }).then(setHome, () => {
        // What is known stays.
        if (!signal.aborted) setHome((known) => (typeof known === 'string' ? 'failed' : known));
      }),
    [api],
  );
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const onVisible = () => {
      if (document.visibilityState === 'visible') void load(signal);
    };
    void load(signal);
    document.addEventListener('visibilitychange', onVisible, { signal });
    return () => leaving.abort();
  }, [load]);
  useEffect(() => {
    if (changes === 0) return undefined;
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, [load, changes]);
  const onRetry = () => {
    setBusy(true);
    void load(new AbortController().signal).finally(() => setBusy(false));
  };
  return {
    /** Null until it is known. */
    home: typeof home === 'string' ? null : home,
    retry: home === 'failed' ? { onRetry, busy } : null,
  };
}
