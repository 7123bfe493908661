/** A time of day and the zone in which it is meant, such as `03:00` and `Europe/Berlin`. */
export type DailyTime = { time: string; zone: string };

const dayMs = 86_400_000;

/** The last time that it was that time of day, and the next; on the day a clock skips it, an hour beside it. */
export function slotsAround({ time, zone }: DailyTime, now: number): { last: number; next: number } {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = Math.floor((now + offsetAt(now, zone)) / dayMs) * dayMs;
  const slots = [-1, 0, 1, 2].map((days) => {
    const local = today + days * dayMs + (hours * 60 + minutes) * 60_000;
    const near = local - offsetAt(local, zone);
    return local - offsetAt(near, zone);
  });
  return {
    last: Math.max(...slots.filter((at) => at <= now)),
    next: Math.min(...slots.filter((at) => at > now)),
  };
}

/** How far the clocks of a zone are ahead of UTC, milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(at / 1_000) * 1_000;
}
