import type { Boot } from '#contract/boot.ts';
import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import {
  BrowserClient,
  type ErrorEvent,
  defaultStackParser,
  exceptionFromError,
  makeFetchTransport,
} from '@sentry/browser';
import { newEventId } from '../calls/event-id.ts';
import type { ProblemError } from '../calls/problem-error.ts';
import { type RecordedError, problemOf } from '../record-error.ts';
import { scrub } from '../record/scrub.ts';
import type { Clock } from '../time/clock.ts';
import { createFaultGate, type FaultDependencies } from './fault-gate.ts';
import { isFault, type BufferedFailedCalls } from './buffered-calls.ts';

type SendingDependencies = Pick<FaultDependencies, 'errors' | 'clock'> &
  FaultClientDependencies & { held: BufferedFailedCalls };

/**
 * Milliseconds to wait before a failed call is sent. It is usually recorded as an error too, and both are sent as
 * one. A call without an answer may have been aborted by leaving the page, which is gone by then.
 */
const settlesAfter = 1_000;

/** Sends the buffered errors, and from then on each error as it is recorded (DIAG-1). */
export function sendFaults(dependencies: SendingDependencies): void {
  const { errors, clock, held, window } = dependencies;
  const client = createFaultClient(dependencies);
  const gate = createFaultGate<Fault>(clock, client.send);
  const settling = new Map<ProblemError, Fault>();

  function offer(fault: Fault): void {
    const { what, screen = '', kind = '', script = '', status = '', code = '', call = '' } = fault;
    gate.offer([what, screen, kind, script, status, code, call].join('|'), fault);
  }

  function offerSettled(problem: ProblemError): void {
    const fault = settling.get(problem);
    settling.delete(problem);
    // That a device is offline is no fault of the application.
    const isOffline = problem.status === 0 && !window.navigator.onLine;
    if (fault !== undefined && !isOffline) offer(fault);
  }

  function take(recorded: RecordedError): void {
    const problem = problemOf(recorded.error);
    if (problem === null) {
      if (!isForeign(recorded.error, window.location.origin)) offer(recorded);
    } else if (isFault(problem)) {
      const call = settling.get(problem)?.call;
      const fault = call === undefined ? recorded : { ...recorded, call };
      settling.delete(problem);
      if (problem.status === 0) settle(problem, fault);
      else offer(fault);
    }
  }

  function settle(problem: ProblemError, fault: Fault): void {
    settling.set(problem, fault);
    clock.after(settlesAfter, () => offerSettled(problem));
  }

  held.follow(({ problem, call, at, screen }) => {
    const { status, code, requestId = '' } = problem;
    const id = newEventId();
    settle(problem, { id, at, what: 'call', screen, status, code, requestId, call, error: problem });
  });
  errors.recorded.get().forEach(take);
  errors.recorded.subscribe(() => {
    const newest = errors.recorded.get().at(-1);
    if (newest !== undefined) take(newest);
  });
  window.addEventListener('pagehide', () => {
    // Leaving a page aborts its calls, so calls without an answer are no fault here.
    for (const problem of settling.keys()) if (problem.status !== 0) offerSettled(problem);
    gate.flush();
  });
}

type FaultClientDependencies = Pick<
  FaultDependencies,
  'clock' | 'breadcrumbs' | 'currentUser' | 'timeOffset'
> & {
  boot: Pick<Boot, 'release' | 'production'>;
  faults: NonNullable<Boot['faults']>;
  window: Window & typeof globalThis;
};

const toAnotherHost = { fetchOptions: { credentials: 'omit' } } as const;

/** Creates Sentry's client, which sends the given faults and collects nothing by itself. */
function createFaultClient(dependencies: FaultClientDependencies) {
  const { faults, boot, clock, breadcrumbs, currentUser, window } = dependencies;
  const fetch = faults.tunnel === null ? window.fetch.bind(window) : fetchOfOwnServer(dependencies);
  const client = new BrowserClient({
    dsn: faults.dsn,
    ...(faults.tunnel === null ? {} : { tunnel: faults.tunnel }),
    release: boot.release,
    environment: boot.production ? 'production' : 'development',
    integrations: [],
    sendClientReports: false,
    stackParser: defaultStackParser,
    ...(faults.tunnel === null ? { transportOptions: toAnotherHost } : {}),
    transport: (options) => sendAgain(makeFetchTransport(options, fetch), clock, window),
  });
  client.init();
  const { origin } = window.location;
  const { userAgent } = window.navigator;
  return {
    send(fault: Fault, repeated: number): void {
      const user = currentUser.get();
      const event = faultEvent(fault, {
        parser: defaultStackParser,
        origin,
        userAgent,
        breadcrumbs: faultBreadcrumbs(breadcrumbs()),
        words: user === null ? [] : [user.firstName, user.lastName, user.email ?? ''],
        repeated,
      });
      client.captureEvent(event, { event_id: fault.id });
    },
  };
}

/** The event does not name the person: the server knows them by the session, and counts people by a keyed hash. */
function fetchOfOwnServer({
  window,
  timeOffset,
}: Pick<FaultClientDependencies, 'window' | 'timeOffset'>): typeof globalThis.fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set(sessionHeader, '1');
    const offset = timeOffset();
    if (offset !== null) headers.set(timeOffsetHeader, String(offset));
    return window.fetch(input, { ...init, headers });
  };
}

type Transport = ReturnType<typeof makeFetchTransport>;

const mostWaiting = 20;
const againAfter = 60_000;

/**
 * Retries events that could not be sent, once the network is back or after a minute: an error that the network
 * caused can be sent only then. The events wait in the memory of the page and are lost when the page ends.
 */
function sendAgain(transport: Transport, clock: Clock, window: Pick<Window, 'addEventListener'>): Transport {
  type Envelope = Parameters<Transport['send']>[0];
  const waiting: Envelope[] = [];
  let cancel: (() => void) | null = null;

  function again(): void {
    cancel?.();
    cancel = null;
    for (const envelope of waiting.splice(0)) void send(envelope);
  }

  async function send(envelope: Envelope) {
    try {
      return await transport.send(envelope);
    } catch {
      if (waiting.length < mostWaiting) waiting.push(envelope);
      cancel ??= clock.after(againAfter, again);
      return {};
    }
  }

  window.addEventListener('online', again);
  return { send, flush: (timeout) => transport.flush(timeout) };
}

type Crumb = NonNullable<ErrorEvent['breadcrumbs']>[number];

/** Converts the scrubbed breadcrumbs of the page into the form of Sentry's protocol. */
function faultBreadcrumbs(recorded: readonly Breadcrumb[]): Crumb[] {
  return recorded.map((step) => ({ timestamp: step.at / 1000, ...contentOf(step), ...countOf(step) }));
}

function contentOf(step: Breadcrumb): Crumb {
  switch (step.kind) {
    case 'navigation':
      return { type: 'navigation', category: 'navigation', message: step.path };
    case 'click':
      return {
        type: 'ui',
        category: 'ui.click',
        message: step.name === '' ? step.role : `${step.role} “${step.name}”`,
      };
    case 'call':
      return {
        type: 'http',
        category: 'call',
        level: 'error',
        message: step.call,
        data: { status: step.status, code: step.code, request_id: step.requestId },
      };
    case 'console':
      return { type: 'debug', category: 'console', level: step.level, message: step.text };
  }
}

function countOf({ count = 1 }: Breadcrumb): Crumb {
  return count > 1 ? { data: { count } } : {};
}

/** A recorded error; for a failed call also its method and path, with the names of parameters. */
type Fault = RecordedError & { readonly call?: string };

type EventFacts = {
  parser: typeof defaultStackParser;
  /** The origin of the page: `https://portico.example.org`. */
  origin: string;
  userAgent: string;
  breadcrumbs: NonNullable<ErrorEvent['breadcrumbs']>;
  /** Texts that are removed from messages. */
  words: readonly string[];
  /** How often the error happened since it was last sent. */
  repeated: number;
};

type Exception = NonNullable<NonNullable<ErrorEvent['exception']>['values']>[number];

const longestMessage = 500;
/** No code handled these errors: the page, or a part of it, no longer works. */
const unhandled = new Set(['page.error', 'page.rejection', 'application', 'screen']);

/**
 * Converts an error into an event of Sentry's protocol: kind, scrubbed message, stack, place and time. The event
 * holds nothing about the person: no id, no address with values, no query.
 */
function faultEvent(fault: Fault, facts: EventFacts): ErrorEvent {
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
  // A thrown value that is no Error may hold typed text; only its type is safe to send.
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

/** Whether an error was thrown by a browser extension, or by another script that does not belong to the page. */
function isForeign(error: unknown, origin: string): boolean {
  const places = error instanceof Error ? (error.stack?.match(/[a-z-]+:\/\/[^\s)]+/g) ?? []) : [];
  return places.length > 0 && !places.some((place) => place.startsWith(origin));
}
