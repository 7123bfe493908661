import { resolveWallTime, wallTimeAt } from '#contract/rules/wall-time.ts';

/** A time of day and the zone in which it is meant, such as `03:00` and `Europe/Berlin`. */
export type DailyTime = { time: string; zone: string };

const dayMs = 86_400_000;

/** The last and next occurrence of a time of day: where clocks skip it, right after the gap; of two, the second. */
export function slotsAround({ time, zone }: DailyTime, now: number): { last: number; next: number } {
  const today = Date.parse((wallTimeAt(now, zone) ?? new Date(now).toISOString()).slice(0, 10));
  const slots = [-1, 0, 1, 2].map((days) => {
    const day = new Date(today + days * dayMs).toISOString().slice(0, 10);
    const resolved = resolveWallTime({ local: `${day}T${time}`, timeZone: zone });
    if (resolved.kind === 'one') return resolved.at;
    if (resolved.kind === 'doubled') return resolved.second;
    return resolved.kind === 'skipped' ? resolved.after : Date.parse(`${day}T${time}Z`);
  });
  return {
    last: Math.max(...slots.filter((at) => at <= now)),
    next: Math.min(...slots.filter((at) => at > now)),
  };
}
