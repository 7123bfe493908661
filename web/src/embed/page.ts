import type { MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { createApi } from '../platform/calls/call.ts';
import { newEventId } from '../platform/calls/event-id.ts';
import { createErrorRecord, watchUncaught } from '../platform/record-error.ts';
import { createSignal, createStore, derive } from '../platform/state/store.ts';
import { browserChannel, openBroadcast, type OpenChannel } from '../platform/tabs/broadcast.ts';
import type { CountedLocks } from '../platform/tabs/open-tabs.ts';
import { electTabLeader, leaderMessage } from '../platform/tabs/tab-leader.ts';
import { createTabMemory } from '../platform/tabs/tab-memory.ts';
import { watchTabPresence } from '../platform/tabs/tab-presence.ts';
import { browserClock } from '../platform/time/clock.ts';
import { createServerClock } from '../platform/time/server-clock.ts';
import { createEmbedStatus, embedStatusMessage } from './embed-status.ts';
import { createEmbedSession } from './session.ts';

export type EmbedPage = ReturnType<typeof openPage>;

/**
 * The tabs with `portico.js` elect a leader of their own: that of Portico's own pages holds streams that these do not need, and
 * these would leave out what those need.
 */
const ownChannel: OpenChannel = (name) => browserChannel(`${name}:embed`);

function ownLocks(): CountedLocks | undefined {
  if (!('locks' in navigator)) return undefined;
  const { locks } = navigator;
  const own = (name: string) => `embed:${name}`;
  return {
    request: (name: string, ...rest: [never]) => locks.request(own(name), ...rest),
    async query() {
      const { held = [] } = await locks.query();
      const prefix = own('');
      return {
        held: held.flatMap((lock) =>
          lock.name?.startsWith(prefix) === true ? [{ ...lock, name: lock.name.slice(prefix.length) }] : [],
        ),
      };
    },
  };
}

/** Puts together what runs as long as the page is open; it asks the server once, and draws nothing. */
export function openPage() {
  const clock = browserClock;
  // The application may wrap `fetch` later, and reads what its own requests answer.
  const send = window.fetch.bind(window);
  const locks = ownLocks();
  const presence = watchTabPresence(window, document);
  const errors = createErrorRecord();
  watchUncaught(window, errors);
  const memory = createTabMemory(window);
  const now = () => performance.now();
  const serverClock = createServerClock(now, { serverTime: Date.now(), sentAt: 0, receivedAt: 1e9 });
  const connected = createStore(false);
  const go = (to: string) => window.location.assign(to);

  const session = createEmbedSession({
    api: () => api,
    clock,
    serverClock,
    locks: 'locks' in navigator ? navigator.locks : undefined,
    ask: () => embedStatus.ask(),
    go,
  });
  const api = createApi({
    fetch(to, init) {
      // What no image or tag of another site can send: with it the server reads who is signed in.
      const headers = new Headers(init?.headers);
      headers.set(sessionHeader, '1');
      return send(to, { ...init, headers });
    },
    async sendCounted(address, request) {
      const { browserSendCounted } = await import('../platform/calls/counted-request.ts');
      return browserSendCounted(address, request);
    },
    bearer: session.bearer,
    timeOffset: () => null,
  });
  const leader = electTabLeader({
    locks,
    broadcast: openBroadcast(ownChannel, 'leader', leaderMessage),
    clock,
    presence,
  });
  const embedStatus = createEmbedStatus({
    api,
    clock,
    serverClock,
    leader,
    presence,
    memory,
    connected,
    broadcast: openBroadcast(ownChannel, 'known', embedStatusMessage),
    onAnswer: ({ user, token }) => session.found(user?.id ?? null, token),
    onError: (error) => errors.record('embed.load', error),
  });
  const { known } = embedStatus;
  const isIn = derive([session.state], ({ status }) => status === 'signed-in');
  const user = derive([known, isIn], (given, signedIn) => (signedIn ? (given?.user ?? null) : null), same);
  const rights = derive([known, user], (given, who) => (who === null ? [] : (given?.rights ?? [])), same);
  const flags = derive([known], (given) => given?.flags ?? {}, same);
  const maintenance = derive([known], (given) => given?.maintenance ?? open, sameStatus);
  const can = (right: string): boolean =>
    rights.get().includes(right) || (right.startsWith('FF_') && flags.get()[right.slice(3)] === true);

  return {
    clock,
    serverClock,
    random: Math.random,
    locks,
    presence,
    errors,
    memory,
    leader,
    connected,
    go,
    api,
    session,
    embedStatus,
    user,
    rights,
    flags,
    maintenance,
    can,
    /** In how many places of this page something is not saved, as the application says. */
    unsaved: createStore(0),
    /** The id of this tab. */
    newId: newEventId,
    /** What the form of a bug report asks for has changed. */
    reportForm: createSignal(),
    ownChannel,
  };
}

const open: MaintenanceStatus = {
  mode: 'off',
  text: '',
  texts: {},
  severity: 'INFO',
  expectedEnd: null,
  since: null,
  upcoming: null,
  returnWithin: 0,
  changedAt: 0,
  serverTime: 0,
};

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function sameStatus(one: MaintenanceStatus, other: MaintenanceStatus): boolean {
  return same({ ...one, serverTime: 0 }, { ...other, serverTime: 0 });
}
