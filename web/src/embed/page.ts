import type { MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { type Api, createApi } from '../platform/calls/call.ts';
import { newEventId } from '../platform/calls/event-id.ts';
import { createErrorRecord, watchUncaught } from '../platform/record-error.ts';
import { createSignal, createStore, derive, type Readable, watch } from '../platform/state/store.ts';
import {
  type Broadcast,
  browserChannel,
  openBroadcast,
  type OpenChannel,
} from '../platform/tabs/broadcast.ts';
import type { CountedLocks } from '../platform/tabs/open-tabs.ts';
import { electTabLeader, leaderMessage } from '../platform/tabs/tab-leader.ts';
import { createTabMemory, type TabMemory } from '../platform/tabs/tab-memory.ts';
import { type TabPresence, watchTabPresence } from '../platform/tabs/tab-presence.ts';
import { browserClock, type Clock } from '../platform/time/clock.ts';
import { createServerClock, type ServerClock } from '../platform/time/server-clock.ts';
import { createEmbedSession } from './session.ts';
import * as z from 'zod/mini';
import { type Embed, embed, getEmbed } from '#features/embed/contract/embed.ts';
import { createPoller } from '../platform/live/poller.ts';

export type EmbedPage = ReturnType<typeof openPage>;

/**
 * The tabs with `portico.js` elect their own leader: the leader of Portico's own pages holds streams that they do
 * not need, and one of them would not hold the streams that Portico's own pages need.
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

/** Creates the parts that run as long as the page is open; requests the status once, and draws nothing. */
export function openPage() {
  const clock = browserClock;
  // Bound now: the application may wrap `fetch` later, to read the answers of its own requests.
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
      // A header that no image or tag of another site can send: the server requires it to read who is signed in.
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
    /** The number of places in this page with unsaved work, as the application reports it. */
    unsaved: createStore(0),
    /** The id of this tab. */
    newId: newEventId,
    /** Published when the fields of the bug report form have changed. */
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

/*
 * The server's answer to `GET /v1/embed`: maintenance, person, rights and flags of this page. It is fetched
 * when the page opens and after each change. One tab fetches it and passes it on to the others, without the
 * token. The parts that are not personal are stored for the next page of the tab, so that a banner does not
 * flicker while that page waits for its own answer.
 */

type EmbedStatus = Omit<Embed, 'token'>;
export const embedStatusMessage = z.object({ known: embed });
type EmbedStatusMessage = z.infer<typeof embedStatusMessage>;

type EmbedStatusDependencies = {
  api: Pick<Api, 'call'>;
  clock: Clock;
  serverClock: ServerClock;
  leader: Readable<boolean>;
  presence: TabPresence;
  broadcast: Broadcast<EmbedStatusMessage>;
  memory: TabMemory;
  /** Whether the stream of live events is connected. */
  connected: Readable<boolean>;
  onAnswer(answer: Embed): void;
  onError(error: unknown): void;
};

const everyMs = 60_000;
const withoutEventsMs = 15_000;
const leaderTimeoutMs = 2_000;
const lastKey = 'portico.embed';

export function createEmbedStatus(dependencies: EmbedStatusDependencies) {
  const { clock, broadcast, leader, memory } = dependencies;
  const known = createStore<EmbedStatus | null>(lastPage(memory));
  /** Whether `known` is the answer to this page's own request. */
  const fresh = createStore(false);

  /** Takes an answer. Answers can overtake each other, so the newer maintenance status wins. */
  function take(next: EmbedStatus): void {
    const now = known.get();
    const isOlder = now !== null && fresh.get() && now.maintenance.changedAt > next.maintenance.changedAt;
    known.set(isOlder ? { ...next, maintenance: now.maintenance } : next);
    fresh.set(true);
    remember();
  }

  function remember(): void {
    const now = known.get();
    if (now === null) return;
    const { maintenance, branding, provider, reports, language, release } = now;
    memory.write(lastKey, JSON.stringify({ maintenance, branding, provider, reports, language, release }));
  }

  async function poll(signal: AbortSignal): Promise<boolean> {
    const measured = dependencies.serverClock.asking();
    try {
      const { token, ...answer } = await dependencies.api.call(getEmbed, {}, { signal });
      if (signal.aborted) return false;
      measured(answer.maintenance.serverTime);
      dependencies.onAnswer({ ...answer, token });
      take(answer);
      if (leader.get()) broadcast.post({ known: { ...answer, token: null } });
      return true;
    } catch (error) {
      if (!signal.aborted) dependencies.onError(error);
      return false;
    }
  }

  const withoutEvents = createStore(false);
  const asked = createPoller(
    { ...dependencies, random: Math.random },
    {
      every: everyMs,
      fast: { every: withoutEventsMs, while: withoutEvents },
      enabled: createStore(true),
      poll,
    },
  );
  let cancelDoubt = () => {};
  watch(dependencies.connected, (connected) => {
    cancelDoubt();
    if (connected) withoutEvents.set(false);
    else
      cancelDoubt = clock.after(Math.random() * withoutEventsMs, () =>
        withoutEvents.set((known.get()?.user ?? null) !== null),
      );
  });

  let received = 0;
  broadcast.subscribe(({ known: other }) => {
    const now = known.get();
    // Another person signed in or out in that tab, so this page fetches its own answer.
    if (now === null || now.user?.id !== other.user?.id) void asked.now();
    else if (Number(other.eventId) >= Number(now.eventId)) {
      received += 1;
      take(other);
      asked.polledElsewhere();
    }
  });

  let isPlanned = false;

  return {
    known,
    fresh,
    ask: () => void asked.now(),
    /**
     * Called when many browsers have to fetch again: the leading tab does it within `within` milliseconds, and
     * the others wait for its answer.
     */
    changed(within: number): void {
      if (isPlanned) return;
      isPlanned = true;
      const before = received;
      clock.after(leader.get() ? Math.random() * within : within + leaderTimeoutMs, () => {
        isPlanned = false;
        if (leader.get() || received === before) void asked.now();
      });
    },
    /** Takes a maintenance status that the server has pushed. */
    pushed(maintenance: MaintenanceStatus): void {
      const now = known.get();
      if (now === null || maintenance.changedAt < now.maintenance.changedAt) return;
      known.set({ ...now, maintenance });
      remember();
    },
  };
}

/** The stored answer of the previous page of this tab; null if there is none, or if it said full maintenance. */
function lastPage(memory: TabMemory): EmbedStatus | null {
  try {
    const last = JSON.parse(memory.read(lastKey) ?? 'null') as object | null;
    const signedOut = { user: null, token: null, rights: [], rightLabels: {}, flags: {}, eventId: '' };
    const read = embed.safeParse({ ...signedOut, ...last });
    // This page was served, so an older status must not send it to the maintenance page.
    return read.success && read.data.maintenance.mode !== 'full' ? read.data : null;
  } catch {
    return null;
  }
}
