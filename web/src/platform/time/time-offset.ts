const formatters = new Map<string, Intl.DateTimeFormat | null>();

/**
 * Minutes east of UTC at a point in time (PRO-3): Berlin in summer is 120.
 *
 * @param zone an IANA zone; null, or one that this browser does not know: the browser's own
 * @param at milliseconds since the epoch
 */
export function minutesEastOfUtc(zone: string | null, at: number): number {
  const formatter = zone === null ? null : formatterOf(zone);
  // getTimezoneOffset counts west, and gives -0 at Greenwich.
  if (formatter === null) return 0 - new Date(at).getTimezoneOffset();
  const name = formatter.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  const distance = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? 0 - distance : distance;
}

function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const made = makeFormatter(zone);
  formatters.set(zone, made);
  return made;
}

function makeFormatter(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}
