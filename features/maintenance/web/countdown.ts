const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Minutes before the end at which the time left is announced: every second would drown everything else. */
const spokenAt = [60, 15, 5, 1] as const;

/**
 * The time left as a clock: `12:04`, `1:12:04`. Whole seconds, rounded up, so that it shows 0:00 only when
 * the time is over. Null for a day and more, where seconds do not matter.
 */
export function countdownText(milliseconds: number): string | null {
  if (milliseconds >= day) return null;
  const seconds = Math.max(0, Math.ceil(milliseconds / second));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours === 0 ? minutes : `${hours}:${two(minutes)}`}:${two(seconds % 60)}`;
}

/**
 * Milliseconds until `countdownText` changes, and at most so many that a clock that was set in between is
 * noticed.
 */
export function untilNextText(milliseconds: number): number {
  if (milliseconds > day) return Math.min(milliseconds - day, minute);
  return ((milliseconds % second) + second) % second || second;
}

/**
 * The minutes to announce when the time left went from `before` to `left` milliseconds, or null: those that
 * are left, since a sleep or another plan may have passed several thresholds. A postponed end announces
 * nothing.
 */
export function announcedMinutes(before: number, left: number): number | null {
  if (left <= 0) return null;
  const crossed = spokenAt.some((minutes) => left <= minutes * minute && before > minutes * minute);
  return crossed ? Math.max(1, Math.round(left / minute)) : null;
}
