import { useEffect, useState } from 'react';

const settledAfterMs = 350;

/** A value that is typed or chosen, once it has stayed the same for a while. Compared as JSON. */
export function useSettled<T>(value: T): { value: T; settled: boolean } {
  const json = JSON.stringify(value);
  const [kept, setKept] = useState({ json, value });
  useEffect(() => {
    const timer = setTimeout(() => setKept({ json, value: JSON.parse(json) as T }), settledAfterMs);
    return () => clearTimeout(timer);
  }, [json]);
  return { value: kept.value, settled: kept.json === json };
}
