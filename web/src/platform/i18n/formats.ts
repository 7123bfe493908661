/** How times, numbers and lists are written for one person. Times are milliseconds since the epoch. */
export type Formats = {
  /** BCP 47, as passed to `Intl`. */
  readonly locale: string;
  /** An IANA zone. */
  readonly timeZone: string;
  /** `21 Nov 2026` */
  date(at: number): string;
  /** `22:00` */
  time(at: number): string;
  /** `21 Nov 2026, 22:00` */
  dateTime(at: number): string;
  /** `Saturday, 21 November 2026 at 22:00:00 CET`: unambiguous. */
  exact(at: number): string;
  /**
   * `in 5 minutes`, rounded to a whole unit; from a day on in calendar days, such as `yesterday`; a date when the time
   * is more than a month away.
   */
  relative(at: number, now: number): string;
  /** `2 h 5 min`, in whole minutes, rounded up so that a countdown never promises too little. */
  duration(milliseconds: number): string;
  number(value: number): string;
  /** `a, b and c` */
  list(parts: readonly string[]): string;
  /** The hour of the day in the time zone, 0 to 23. */
  hour(at: number): number;
};

const month = 30 * 86_400_000;

/** The zone of this computer, by the browser's name for it. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * The regional variant that the browser prefers, such as `en-GB` for `en`, so that a reader of English in
 * London does not get American dates.
 */
export function regionalLocale(language: string, preferred: readonly string[]): string {
  const own = preferred.find((tag) => tag === language || tag.startsWith(`${language}-`));
  return own ?? (language === 'en' ? 'en-GB' : language);
}

/** @param timeZone an IANA zone; an unknown zone is replaced by the zone of the browser */
export function createFormats(locale: string, timeZone: string): Formats {
  const zone = isKnownZone(timeZone) ? timeZone : ownTimeZone();
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
    return (at: number) => formatter.format(at);
  };
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const number = new Intl.NumberFormat(locale);
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const unit = (name: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' });
  const inHours = unit('hour');
  const inMinutes = unit('minute');
  const date = format({ dateStyle: 'medium' });
  // Swedish has ISO dates and the hours 0 to 23.
  const calendar = new Intl.DateTimeFormat('sv', { timeZone: zone });
  const hour = new Intl.DateTimeFormat('sv', { timeZone: zone, hour: '2-digit' });
  const day = (at: number) => Date.parse(calendar.format(at));

  return {
    locale,
    timeZone: zone,
    date,
    time: format({ timeStyle: 'short' }),
    dateTime: format({ dateStyle: 'medium', timeStyle: 'short' }),
    exact: format({ dateStyle: 'full', timeStyle: 'long' }),
    relative(at, now) {
      const distance = at - now;
      if (Math.abs(distance) >= month) return date(at);
      // Changing seconds would be noise: below a minute it is "now".
      if (Math.abs(distance) < 60_000) return relative.format(0, 'second');
      const minutes = Math.round(distance / 60_000);
      if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
      const hours = Math.round(distance / 3_600_000);
      if (Math.abs(hours) < 24) return relative.format(hours, 'hour');
      return relative.format((day(at) - day(now)) / 86_400_000, 'day');
    },
    duration(milliseconds) {
      const whole = Math.max(0, Math.ceil(milliseconds / 60_000));
      const over = whole % 60;
      if (whole < 60) return inMinutes.format(whole);
      const full = inHours.format(Math.floor(whole / 60));
      return over === 0 ? full : `${full} ${inMinutes.format(over)}`;
    },
    number: (value) => number.format(value),
    list: (parts) => list.format(parts),
    hour: (at) => Number(hour.format(at)),
  };
}

/** A wait, rounded up: below a minute in seconds, else as `duration`. */
export function waitIn({ locale, duration }: Formats, milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const options = { style: 'unit', unit: 'second', unitDisplay: 'short' } as const;
  return seconds < 60 ? new Intl.NumberFormat(locale, options).format(seconds) : duration(milliseconds);
}

function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
