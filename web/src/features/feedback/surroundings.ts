import type { ReportContext, SentReport } from '@portico/contract/feedback';

/** What is sent along with a report unless the person leaves it out, in the order in which it is shown (BUG-7). */
export const contextParts = [
  'address',
  'release',
  'browser',
  'viewport',
  'language',
  'timeZone',
  'time',
] as const;
export type ContextPart = (typeof contextParts)[number];

/** Each part as it would be sent; `time` in milliseconds since the epoch. */
export type Surroundings = Record<Exclude<ContextPart, 'time'>, string> & { time: number };

/** What a report is sent with: the same at every try, since it belongs to the report's event id. */
export type SentAlong = Required<Pick<SentReport, 'url'>> & { context: ReportContext };

const longest = { address: 2048, release: 200, browser: 500, language: 50, timeZone: 100 } as const;

/** @param page the address of what is looked at, and the release of the application */
export function readSurroundings(
  window: Window,
  now: number,
  page: { address: string; release: string },
): Surroundings {
  const { innerWidth, innerHeight, devicePixelRatio, document, navigator } = window;
  const density = Math.round(devicePixelRatio * 100) / 100;
  return {
    address: withoutFragment(page.address).slice(0, longest.address),
    release: page.release.slice(0, longest.release),
    browser: navigator.userAgent.slice(0, longest.browser),
    viewport: `${innerWidth} × ${innerHeight} @${density}`,
    language: (document.documentElement.lang || navigator.language).slice(0, longest.language),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone.slice(0, longest.timeZone),
    time: now,
  };
}

/** A fragment may hold a token, and so may what stands before the host; the rest is shown to whoever sends it. */
function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
}

/** The parts that are not left out, in the shape in which they are sent. */
export function sentAlong(surroundings: Surroundings, leftOut: readonly ContextPart[]): SentAlong {
  const { address, ...context } = surroundings;
  const kept = Object.entries(context).filter(([part]) => !leftOut.includes(part as ContextPart));
  return {
    url: leftOut.includes('address') ? '' : address,
    context: Object.fromEntries(kept),
  };
}
