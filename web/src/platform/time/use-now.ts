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

const second = 1_000;

/** The time by the server, in milliseconds since the epoch, updated with each of its seconds. */
export function useServerNow(): number {
  const clock = useServerClock();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const next = now + second - (now % second);
    const wait = Math.min(second, Math.max(0, next - clock.now()));
    const timer = setTimeout(() => setNow(clock.now()), wait);
    return () => clearTimeout(timer);
  }, [clock, now]);
  return now;
}
