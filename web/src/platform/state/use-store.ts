import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Readable } from './store.ts';

/** The value of a store, live. */
export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/**
 * Returns a typed or chosen value once it has not changed for `afterMs`. Values are compared as JSON.
 *
 * @returns the last such value; `settled`: whether it is the current value
 */
export function useDebounced<T>(value: T, afterMs = 350): { value: T; settled: boolean } {
  const json = JSON.stringify(value);
  const [last, setLast] = useState({ json, value });
  useEffect(() => {
    const timer = setTimeout(() => setLast({ json, value: JSON.parse(json) as T }), afterMs);
    return () => clearTimeout(timer);
  }, [json, afterMs]);
  return { value: last.value, settled: last.json === json };
}

/**
 * What a call answers, loaded when it is first shown, after each change, and on return to the tab. What is known
 * stays when a later call fails.
 *
 * @param call the same function at each render
 * @param changes grows when the answer has changed
 * @returns `known`: null until it is known
 */
export function useLoaded<Answer extends object>(
  call: (signal: AbortSignal) => Promise<Answer>,
  changes: number,
) {
  const [answer, setAnswer] = useState<Answer | 'unknown' | 'failed'>('unknown');
  const [busy, setBusy] = useState(false);
  const load = useCallback(
    (signal: AbortSignal) =>
      call(signal).then(setAnswer, () => {
        if (!signal.aborted) setAnswer((known) => (typeof known === 'string' ? 'failed' : known));
      }),
    [call],
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
    known: typeof answer === 'string' ? null : answer,
    retry: answer === 'failed' ? { onRetry, busy } : null,
  };
}
