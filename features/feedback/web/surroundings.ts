import {
  type Breadcrumb,
  contextLimits,
  type ReportContext,
  type ReportedError,
  type SentReport,
} from '#features/feedback/contract/feedback.ts';
import { presentTimeZone } from '#contract/time-zones.ts';
import { ownTimeZone } from '#web/platform/i18n/formats.ts';
import type { RecordedError } from '#web/platform/record-error.ts';

/**
 * What is sent along with a report unless the person leaves it out, in the order in which it is shown
 * (BUG-7).
 */
const singleParts = [
  'address',
  'release',
  'browser',
  'viewport',
  'language',
  'timeZone',
  'time',
  'event',
] as const;
export const listParts = ['breadcrumbs', 'errors', 'flags', 'rights'] as const;
export const contextParts = [...singleParts, ...listParts] as const;
export type SinglePart = (typeof singleParts)[number];
export type ContextPart = (typeof contextParts)[number];

type ReportedFlag = { readonly key: string; readonly value: string };

/** Facts about the page that `window` does not have; they are read again each time. */
export type PageFacts = {
  address: string;
  release: string;
  /** Newest last, like the errors. */
  breadcrumbs: readonly Breadcrumb[];
  errors: readonly RecordedError[];
  flags: readonly { readonly key: string; readonly value: unknown }[];
  rights: readonly string[];
};

/**
 * Each part as it would be sent; `time` in milliseconds since the epoch. `event` is the id of the last error
 * that was recorded, empty where there is none.
 */
export type Surroundings = Record<Exclude<SinglePart, 'time'>, string> & {
  time: number;
  breadcrumbs: readonly Breadcrumb[];
  errors: readonly ReportedError[];
  flags: readonly ReportedFlag[];
  rights: readonly string[];
};

/** The data sent along with a report: the same at every try, since it belongs to the report's event id. */
export type SentAlong = Required<Pick<SentReport, 'url'>> &
  Pick<SentReport, 'associatedEventId'> & { context: ReportContext };

const longest = { address: 2048, release: 200, browser: 500, language: 50, timeZone: 100 } as const;

/** A failure to send a report is listed in the next report, but is not the error which that report is about. */
const ownErrors = /^feedback\./;

/** @param page facts about the shown screen and recorded errors */
export function readSurroundings(window: Window, now: number, page: PageFacts): Surroundings {
  const { innerWidth, innerHeight, devicePixelRatio, document, navigator } = window;
  const density = Math.round(devicePixelRatio * 100) / 100;
  return {
    address: withoutFragment(page.address).slice(0, longest.address),
    release: page.release.slice(0, longest.release),
    browser: navigator.userAgent.slice(0, longest.browser),
    viewport: `${innerWidth} × ${innerHeight} @${density}`,
    language: (document.documentElement.lang || navigator.language).slice(0, longest.language),
    timeZone: presentTimeZone(ownTimeZone()).slice(0, longest.timeZone),
    time: now,
    event: page.errors.findLast(({ what }) => !ownErrors.test(what))?.id ?? '',
    breadcrumbs: page.breadcrumbs.slice(-contextLimits.breadcrumbs),
    errors: page.errors.slice(-contextLimits.errors).map(({ error: _error, ...reported }) => reported),
    flags: page.flags.slice(0, contextLimits.flags).map(({ key, value }) => ({
      key: key.slice(0, 100),
      value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, contextLimits.flagValue),
    })),
    rights: page.rights.slice(0, contextLimits.rights),
  };
}

/**
 * Removes the fragment, the user name and the password, since they may hold a token. The person who sends the
 * rest of the address sees it.
 */
function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
}

/** Identifies a breadcrumb of a page. A repeated breadcrumb has the same key. */
export function breadcrumbKey({ count: _count, ...crumb }: Breadcrumb): string {
  return JSON.stringify(crumb);
}

/**
 * The parts that are not left out, in the shape in which they are sent; empty lists are not sent.
 *
 * @param leftOutCrumbs the keys of single breadcrumbs that are left out
 * @param about the address of the page that the picture shows, where that is known
 */
export function sentAlong(
  surroundings: Surroundings,
  leftOut: readonly ContextPart[],
  leftOutCrumbs: readonly string[] = [],
  about = surroundings.address,
): SentAlong {
  const { address, event, ...all } = surroundings;
  const context = {
    ...(about === address || leftOut.includes('address') ? {} : { sentFrom: address }),
    ...all,
    breadcrumbs: all.breadcrumbs.filter((crumb) => !leftOutCrumbs.includes(breadcrumbKey(crumb))),
  };
  const isLeftOut = (part: string) => leftOut.includes(part as ContextPart);
  const sent = Object.entries(context).filter(
    ([part, value]) => !isLeftOut(part) && !(Array.isArray(value) && value.length === 0),
  );
  return {
    url: isLeftOut('address') ? '' : about,
    ...(event === '' || isLeftOut('event') ? {} : { associatedEventId: event }),
    context: fitted(Object.fromEntries(sent)),
  };
}

/** Shortens the lists, one after the other, until the server accepts the context. */
function fitted(context: ReportContext): ReportContext {
  let fitting = context;
  while (JSON.stringify(fitting).length > contextLimits.characters) {
    const part = (['flags', 'rights', 'breadcrumbs', 'errors'] as const).find(
      (list) => (fitting[list]?.length ?? 0) > 0,
    );
    if (part === undefined) break;
    // Errors and steps are cut at the start, since the newest are last.
    const isDated = part === 'breadcrumbs' || part === 'errors';
    fitting = { ...fitting, [part]: isDated ? fitting[part]?.slice(1) : fitting[part]?.slice(0, -1) };
  }
  return fitting;
}
