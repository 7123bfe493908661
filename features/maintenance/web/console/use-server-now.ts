import { useEffect, useState } from 'react';
import { useServerClock } from '#web/platform/contexts.tsx';

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
