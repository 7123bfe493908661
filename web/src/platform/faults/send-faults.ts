import type { Boot } from '#contract/boot.ts';
import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { BrowserClient, type ErrorEvent, defaultStackParser, makeFetchTransport } from '@sentry/browser';
import { newEventId } from '../calls/event-id.ts';
import type { ProblemError } from '../calls/problem-error.ts';
import { problemOf, type RecordedError } from '../record-error.ts';
import type { Clock } from '../time/clock.ts';
import type { FaultDependencies } from './fault-dependencies.ts';
import { type Fault, faultEvent, isForeign } from './fault-event.ts';
import { createFaultGate } from './fault-gate.ts';
import { isFault, type BufferedFailedCalls } from './buffered-calls.ts';

type SendingDependencies = Pick<FaultDependencies, 'errors' | 'clock'> &
  FaultClientDependencies & { held: BufferedFailedCalls };

/**
 * A failed call is usually recorded as an error too, with what was being done: both are sent as one. One
 * without an answer may have been ended by the page that is left; by then that page is gone.
 */
const settlesAfter = 1_000;

/** Sends the errors that are held, and from then on each one as it is recorded (DIAG-1). */
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
    // A page that is left ends its own calls: those without an answer are no fault.
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

/** Sends faults with Sentry's client, without any of what it collects by itself. */
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

/** The server knows the session, and counts people by a keyed hash; the event names nobody. */
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
 * Sends again what could not be sent, once the network is back or after a minute: an error that the network
 * caused can be sent only then. It waits in the page's memory, and ends with the page.
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

/** What the page has recorded, scrubbed, in the form of Sentry's protocol. */
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
