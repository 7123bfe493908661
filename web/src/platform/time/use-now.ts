import { useEffect, useState } from 'react';
import { useServerClock } from '../contexts.tsx';

/** The time by the server's clock, updated every so many milliseconds. */
export function useNow(everyMs: number): number {
  const clock = useServerClock();
  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), everyMs);
    return () => clearInterval(timer);
  }, [clock, everyMs]);
  return now;
}
