/** The times of a layer, oldest first, as the server writes them. */
export type TimeDimension = { values: readonly string[]; initial: string };

/** Most steps of a slider that can still be used; of more times, only the newest stay. */
export const mostTimes = 2_000;
const period =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Reads the times of a WMS dimension (WMS 1.3.0, annex D): single ones and `first/last/period`, separated by
 * commas.
 *
 * @returns null where the text names no time
 */
export function readTimes(text: string, preferred: string | undefined): TimeDimension | null {
  const values = text.split(',').flatMap((part) => timesOf(part.trim()));
  const known = [...new Set(values)].toSorted((a, b) => epoch(a) - epoch(b)).slice(-mostTimes);
  const newest = known.at(-1);
  if (newest === undefined) return null;
  return { values: known, initial: known.find((value) => isSame(value, preferred)) ?? newest };
}

function isSame(value: string, preferred: string | undefined): boolean {
  return preferred !== undefined && (value === preferred || epoch(value) === epoch(preferred));
}

const epoch = (value: string) => Date.parse(value.length === 4 ? `${value}-01-01` : value);

function timesOf(text: string): string[] {
  if (text === '') return [];
  const [first = '', last, every] = text.split('/');
  if (last === undefined) return Number.isNaN(epoch(text)) ? [] : [text];
  const [from, to] = [epoch(first), epoch(last)];
  if (Number.isNaN(from) || Number.isNaN(to) || from > to) return [];
  const step = stepOf(every ?? '');
  if (step === null) return [first, last];
  const times: string[] = [];
  // An interval with more steps than can be shown begins later, so that the newest steps stay.
  const begin = Math.max(0, Math.floor((to - from) / step.approximately) - mostTimes);
  for (let index = begin; times.length <= mostTimes + 2; index += 1) {
    const at = step.after(from, index);
    if (at > to) break;
    times.push(written(at, first));
  }
  return times;
}

/** A time as text, as precise as the first time of its interval. */
function written(at: number, like: string): string {
  const iso = new Date(at).toISOString();
  if (/^\d{4}$/.test(like)) return iso.slice(0, 4);
  if (/^\d{4}-\d\d$/.test(like)) return iso.slice(0, 7);
  if (/^\d{4}-\d\d-\d\d$/.test(like)) return iso.slice(0, 10);
  return /\.\d+Z?$/.test(like) ? iso : iso.replace(/\.\d+Z$/, 'Z');
}

type Step = { approximately: number; after: (from: number, times: number) => number };

function stepOf(text: string): Step | null {
  const found = period.exec(text);
  if (found === null) return null;
  const [years, months, weeks, days, hours, minutes, seconds] = found
    .slice(1)
    .map((figure) => Number(figure ?? 0)) as [number, number, number, number, number, number, number];
  const wholeMonths = years * 12 + months;
  const rest = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000;
  if (wholeMonths === 0 && rest < 1) return null;
  return {
    approximately: wholeMonths * 30.5 * 86_400_000 + rest,
    after(from, times) {
      const at = new Date(from);
      const day = at.getUTCDate();
      at.setUTCDate(1);
      at.setUTCMonth(at.getUTCMonth() + wholeMonths * times);
      const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
      at.setUTCDate(Math.min(day, last));
      return at.getTime() + rest * times;
    },
  };
}
