import { useEffect, useState } from 'react';

/**
 * A value that is typed or chosen, once it has not changed for a while. Values are compared as JSON.
 *
 * @returns `settled`: whether `value` is the current one
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
