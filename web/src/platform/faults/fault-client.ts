import type { Boot } from '#contract/boot.ts';
import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { BrowserClient, defaultStackParser, makeFetchTransport } from '@sentry/browser';
import type { Clock } from '../time/clock.ts';
import { faultBreadcrumbs } from './fault-breadcrumbs.ts';
import type { FaultDependencies } from './fault-dependencies.ts';
import { type Fault, faultEvent } from './fault-event.ts';

export type FaultClientDependencies = Pick<
  FaultDependencies,
  'clock' | 'breadcrumbs' | 'currentUser' | 'timeOffset'
> & {
  boot: Pick<Boot, 'release' | 'production'>;
  faults: NonNullable<Boot['faults']>;
  window: Window & typeof globalThis;
};

const toAnotherHost = { fetchOptions: { credentials: 'omit' } } as const;

/** Sends faults with Sentry's client, without any of what it collects by itself. */
export function createFaultClient(dependencies: FaultClientDependencies) {
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
export function sendAgain(
  transport: Transport,
  clock: Clock,
  window: Pick<Window, 'addEventListener'>,
): Transport {
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
