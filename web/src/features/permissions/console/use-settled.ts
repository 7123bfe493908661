import { useEffect, useState } from 'react';

const settledAfterMs = 350;

/** A value that is typed or chosen, once it has stayed the same for a while. Compared as JSON. */
export function useSettled<T>(value: T): { value: T; settled: boolean } {
  const json = JSON.stringify(value);
  const [last, setLast] = useState({ json, value });
  useEffect(() => {
    const timer = setTimeout(() => setLast({ json, value: JSON.parse(json) as T }), settledAfterMs);
    return () => clearTimeout(timer);
  }, [json]);
  return { value: last.value, settled: last.json === json };
}
