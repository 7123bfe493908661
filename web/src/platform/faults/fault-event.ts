import { type defaultStackParser, type ErrorEvent, exceptionFromError } from '@sentry/browser';
import { problemOf, type RecordedError } from '../record-error.ts';
import { scrub } from '../record/scrub.ts';

/** An error as it was recorded; of a failed call, its method and path with parameters by their names too. */
export type Fault = RecordedError & { readonly call?: string };

type EventFacts = {
  parser: typeof defaultStackParser;
  /** Of the page: `https://portico.example.org`. */
  origin: string;
  userAgent: string;
  breadcrumbs: NonNullable<ErrorEvent['breadcrumbs']>;
  /** Texts that are removed from messages. */
  words: readonly string[];
  /** How often it happened since it was last sent. */
  repeated: number;
};

type Exception = NonNullable<NonNullable<ErrorEvent['exception']>['values']>[number];

const longestMessage = 500;
/** Nobody took care of these: the page, or a part of it, no longer works. */
const unhandled = new Set(['page.error', 'page.rejection', 'application', 'screen']);

/**
 * An error as Sentry's protocol has it: kind, scrubbed message, stack, and where and when. Nothing of the
 * person: no id, no address with values, no query.
 */
export function faultEvent(fault: Fault, facts: EventFacts): ErrorEvent {
  const { id, at, what, screen = '', status, code, requestId, call } = fault;
  const tags = { what, screen, status, code, request_id: requestId, call };
  const mechanism = { type: what, handled: !unhandled.has(what) };
  return {
    type: undefined,
    event_id: id,
    timestamp: at / 1000,
    platform: 'javascript',
    level: status === 0 ? 'warning' : 'error',
    exception: { values: [{ ...exceptionOf(fault, facts), mechanism }] },
    ...(problemOf(fault.error) === null
      ? {}
      : { fingerprint: ['call', call ?? what, String(status), String(code)] }),
    transaction: screen,
    tags: Object.fromEntries(Object.entries(tags).filter(([, value]) => (value ?? '') !== '')),
    ...(facts.repeated > 1 ? { extra: { repeated: facts.repeated } } : {}),
    breadcrumbs: facts.breadcrumbs,
    request: { url: facts.origin + screen, headers: { 'User-Agent': facts.userAgent } },
  };
}

function exceptionOf({ error, status, code, call, what }: Fault, { parser, words }: EventFacts): Exception {
  if (problemOf(error) !== null) {
    const outcome = status === 0 ? 'no answer' : `${status} ${code ?? ''}`.trim();
    return { type: 'FailedCall', value: `${call ?? what}: ${outcome}` };
  }
  // Of a value that is no error, only its type is known not to hold what a person typed.
  if (!(error instanceof Error))
    return { type: 'NoError', value: `A value of type ${typeof error} was thrown` };
  const { type = 'Error', value = '', stacktrace } = exceptionFromError(parser, error);
  const frames = stacktrace?.frames?.map((frame) => ({ ...frame, ...addressOf(frame.filename) }));
  return {
    type: scrub(type, { most: 100, words }),
    value: scrub(value, { most: longestMessage, words }),
    ...(frames === undefined ? {} : { stacktrace: { frames } }),
  };
}

function addressOf(filename = ''): { filename: string } {
  return { filename: filename.split(/[?#]/, 1)[0] ?? '' };
}

/** Thrown by an extension of the browser, or another script that is none of the page's. */
export function isForeign(error: unknown, origin: string): boolean {
  const places = error instanceof Error ? (error.stack?.match(/[a-z-]+:\/\/[^\s)]+/g) ?? []) : [];
  return places.length > 0 && !places.some((place) => place.startsWith(origin));
}
