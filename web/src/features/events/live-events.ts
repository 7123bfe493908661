import { openEvents, type ServerEvent, serverEvent } from '@portico/contract/events';
import type { Broadcast } from '../../platform/broadcast.ts';
import type { Api } from '../../platform/call.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HeldEventSource, holdEventSource } from '../../platform/event-source.ts';
import type { OpenTabs } from '../../platform/open-tabs.ts';
import type { ErrorRecord } from '../../platform/record-error.ts';
import type { ServerClock } from '../../platform/server-clock.ts';
import { createStore, type Readable } from '../../platform/store.ts';
import type { TabPresence } from '../../platform/tab-presence.ts';
import { createPresenceReport } from './presence-report.ts';

/*
 * What the server tells this browser as it happens. Of its tabs the leading one holds the stream, for whoever is signed in, and
 * passes every event on; all of them hear it. Nothing is missed when another tab takes over, since each knows the id of the
 * last event: the time of the last change that the server has told of. What changes between the moment at which a page begins to
 * load and the first event is found by the first id, and asked for again. An event may come twice.
 *
 * The leading tab says every 20 s, when it is asked, and when it changes, whether its stream lives. Who hears nothing for 70 s,
 * which is more than a hidden tab's slowed-down timers leave between two beats, believes it no more.
 */

type Heard<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

export type LiveEvents = {
  /** Tells of events of a type, in every tab; answers how to stop. */
  on<T extends ServerEvent['type']>(type: T, listener: (event: Heard<T>) => void): () => void;
  /** The stream lives, in this tab or the leading one: what happens is told at once. */
  readonly connected: Readable<boolean>;
};

/** Between the tabs of a browser; `of` is who is signed in. */
export type EventsMessage =
  | { type: 'event'; of: string; id: string; event: ServerEvent }
  | { type: 'beat'; of: string; id: string; connected: boolean }
  | { type: 'ask' };

export function readEventsMessage(data: Record<string, unknown>): EventsMessage | null {
  const { type, of, id, connected } = data;
  if (type === 'ask') return { type };
  if (typeof of !== 'string' || typeof id !== 'string') return null;
  if (type === 'beat') return { type, of, id, connected: connected === true };
  const event = serverEvent.safeParse(data['event']);
  return type === 'event' && event.success ? { type, of, id, event: event.data } : null;
}

export type LiveEventsEdges = {
  api: Api;
  clock: Clock;
  serverClock: Pick<ServerClock, 'now'>;
  random: () => number;
  /** The id of who is signed in, or null. */
  person: Readable<string | null>;
  leader: Readable<boolean>;
  presence: Pick<TabPresence, 'onReturn'>;
  broadcast: Broadcast<EventsMessage>;
  openTabs: OpenTabs;
  errors: ErrorRecord;
  /** Downloads what holds a stream, which only the leading tab needs. */
  loadSource: () => Promise<typeof holdEventSource>;
};

const beatEvery = 20_000;
const believed = 70_000;
const loadAgainAfter = 60_000;
/** What this computer knows of the server's time is off by less. */
const margin = 2_000;
/** Without an id the server tells nothing of what was before. Lists of reports are not older than the stream. */
const missedAtFirst: readonly ServerEvent[] = [{ type: 'rights', within: 2_000 }, { type: 'profile' }];

/** Hears what the server tells the person who is signed in, until the page goes away. */
export function createLiveEvents(edges: LiveEventsEdges): LiveEvents {
  const { api, clock, person, leader, broadcast, errors } = edges;
  const connected = createStore(false);
  const listeners = new Map<string, Set<(event: ServerEvent) => void>>();
  let of: string | null = null;
  let lastId = '';
  /** By the server's time; what this page knows is not older. */
  let knownSince = 0;
  let held: { beat(): void; close(): void } | null = null;
  let cancelDoubt = () => {};

  function tell(event: ServerEvent): void {
    for (const listener of listeners.get(event.type) ?? []) {
      try {
        listener(event);
      } catch (error) {
        // The others, and the stream, go on.
        errors.record(`events.${event.type}`, error);
      }
    }
  }

  function update(): void {
    const now = person.get();
    if (now !== of) {
      release();
      of = now;
      lastId = '';
      knownSince = edges.serverClock.now() - margin;
    }
    if (of === null || !leader.get()) release();
    else held ??= hold(of);
    if (of !== null && !leader.get()) broadcast.post({ type: 'ask' });
  }

  function release(): void {
    cancelDoubt();
    held?.close();
    held = null;
    connected.set(false);
  }

  /** Holds the stream for all tabs. */
  function hold(whose: string): { beat(): void; close(): void } {
    const presence = createPresenceReport(edges);
    let source: HeldEventSource | null = null;
    let isClosed = false;
    let failing = false;
    let cancelBeat = () => {};
    let cancelRetry = () => {};

    async function load(): Promise<void> {
      try {
        const holdSource = await edges.loadSource();
        if (!isClosed) open(holdSource);
      } catch (error) {
        record(error);
        if (!isClosed) cancelRetry = clock.after(loadAgainAfter, () => void load());
      }
    }

    function open(holdSource: typeof holdEventSource): void {
      const opened = holdSource({
        clock,
        random: edges.random,
        presence: edges.presence,
        lastId,
        open: async (id, signal) =>
          api.openEvents(openEvents, { query: await presence.opening() }, id, signal),
        onMessage({ data }) {
          const before = lastId;
          lastId = opened.lastId();
          const event = readEvent(data);
          if (event?.type === 'hello') {
            presence.opened(event.connectionId);
            if (before === '' && Number(lastId) > knownSince) missedAtFirst.forEach(passOn);
          } else if (event !== null) passOn(event);
        },
        onProblem: record,
      });
      source = opened;
      opened.connected.subscribe(() => {
        if (isClosed) return;
        connected.set(opened.connected.get());
        if (connected.get()) failing = false;
        else presence.lost();
        beat();
      });
    }

    function record(error: unknown): void {
      if (!failing) errors.record('events.stream', error);
      failing = true;
    }

    function passOn(event: ServerEvent): void {
      broadcast.post({ type: 'event', of: whose, id: lastId, event });
      tell(event);
    }

    function beat(): void {
      cancelBeat();
      broadcast.post({ type: 'beat', of: whose, id: lastId, connected: connected.get() });
      cancelBeat = clock.after(beatEvery, beat);
    }

    void load();
    beat();
    return {
      beat,
      close() {
        isClosed = true;
        cancelBeat();
        cancelRetry();
        presence.lost();
        source?.close();
      },
    };
  }

  function believe(isConnected: boolean): void {
    cancelDoubt();
    connected.set(isConnected);
    if (isConnected) cancelDoubt = clock.after(believed, () => connected.set(false));
  }

  broadcast.subscribe((message) => {
    if (message.type === 'ask') {
      held?.beat();
      return;
    }
    if (message.of !== of) return;
    if (Number(message.id) > Number(lastId)) lastId = message.id;
    if (message.type === 'event') tell(message.event);
    if (held === null) believe(message.type === 'event' || message.connected);
  });
  update();
  person.subscribe(update);
  leader.subscribe(update);

  return {
    connected,
    on(type, listener) {
      const those = listeners.get(type) ?? new Set();
      listeners.set(type, those);
      const entry = listener as (event: ServerEvent) => void;
      those.add(entry);
      return () => void those.delete(entry);
    },
  };
}

/** Null for what this release does not know. */
function readEvent(data: string): ServerEvent | null {
  try {
    const read = serverEvent.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
