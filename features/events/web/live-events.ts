import * as z from 'zod/mini';
import { openEvents, type ServerEvent, serverEvent } from '#features/events/contract/events.ts';
import { publishPresence } from '#features/presence/contract/presence.ts';
import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { ReconnectingEventSource, createEventSource } from '#web/platform/live/event-source.ts';
import type { OpenTabs, TabCounts } from '#web/platform/tabs/open-tabs.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createStore, type Readable } from '#web/platform/state/store.ts';
import type { TabPresence } from '#web/platform/tabs/tab-presence.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { createRefresher } from '#web/platform/calls/refresher.ts';

/*
 * The live events of the server in this browser. The leading tab holds the stream for the signed-in person,
 * and passes every event on to all tabs. Nothing is missed when another tab takes over, since each tab knows
 * the id of the last event. Ids are times: a page starts with the time at which it was rendered, so that the server
 * sends the changes made between then and the opening of the stream. Events may repeat.
 *
 * The leading tab announces whether its stream is open: every 20 s, when another tab asks, and when it changes.
 * A tab that receives nothing for 70 s assumes that the stream is closed; the timers of a hidden tab, which
 * browsers slow down, leave less than 70 s between two announcements.
 */

type EventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

export type LiveEvents = {
  /** Calls the listener with each event of a type, in every tab; returns a function that stops this. */
  on<T extends ServerEvent['type']>(type: T, listener: (event: EventOf<T>) => void): () => void;
  /** True: the stream is open, in this tab or the leading tab, so changes arrive at once. */
  readonly connected: Readable<boolean>;
};

/** Message between the tabs of a browser; `of` is the id of the signed-in person. */
export const eventsMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), of: z.string(), id: z.string(), event: serverEvent }),
  z.object({ type: z.literal('beat'), of: z.string(), id: z.string(), connected: z.boolean() }),
  z.object({ type: z.literal('ask') }),
]);
export type EventsMessage = z.infer<typeof eventsMessage>;

export type LiveEventsDependencies = {
  api: Api;
  clock: Clock;
  /** The event id that the page was rendered with: all data that the page loads is at least as new. */
  firstId: string;
  random: () => number;
  /** The id of the signed-in person, or null. */
  person: Readable<string | null>;
  leader: Readable<boolean>;
  presence: Pick<TabPresence, 'onReturn'>;
  broadcast: Broadcast<EventsMessage>;
  openTabs: OpenTabs;
  errors: ErrorRecord;
  /** Downloads the code that holds a stream, which only the leading tab needs. */
  loadSource: () => Promise<typeof createEventSource>;
};

const beatEvery = 20_000;
const expiresAfter = 70_000;
const loadAgainAfter = 60_000;

/** Follows the events of the signed-in person until the page goes away. */
export function createLiveEvents(dependencies: LiveEventsDependencies): LiveEvents {
  const { api, clock, person, leader, broadcast, errors } = dependencies;
  const connected = createStore(false);
  const listeners = new Map<string, Set<(event: ServerEvent) => void>>();
  let personId: string | null = null;
  let lastId = dependencies.firstId;
  /** The stream, in the leading tab. */
  let stream: ReturnType<typeof holdStream> | null = null;
  let cancelExpiry = () => {};

  function publish(event: ServerEvent): void {
    for (const listener of listeners.get(event.type) ?? []) {
      try {
        listener(event);
      } catch (error) {
        // The other listeners and the stream continue.
        errors.record(`events.${event.type}`, error);
      }
    }
  }

  function update(): void {
    const now = person.get();
    if (now !== personId) {
      closeStream();
      personId = now;
      lastId = dependencies.firstId;
    }
    if (personId === null || !leader.get()) closeStream();
    else stream ??= holdStream(personId);
    if (personId !== null && !leader.get()) broadcast.post({ type: 'ask' });
  }

  function closeStream(): void {
    cancelExpiry();
    stream?.close();
    stream = null;
    connected.set(false);
  }

  /** Holds the stream of a person for all tabs of the browser. */
  function holdStream(of: string) {
    const presence = createPresenceReport(dependencies);
    let source: ReconnectingEventSource | null = null;
    let isClosed = false;
    let failing = false;
    let cancelBeat = () => {};
    let cancelRetry = () => {};

    async function load(): Promise<void> {
      try {
        const createSource = await dependencies.loadSource();
        if (!isClosed) open(createSource);
      } catch (error) {
        record(error);
        if (!isClosed) cancelRetry = clock.after(loadAgainAfter, () => void load());
      }
    }

    function open(createSource: typeof createEventSource): void {
      const opened = createSource({
        clock,
        random: dependencies.random,
        presence: dependencies.presence,
        lastId,
        open: async (id, signal) =>
          api.openEvents(openEvents, { query: await presence.opening() }, id, signal),
        onMessage({ data }) {
          lastId = opened.lastId();
          const event = readEvent(data);
          if (event?.type === 'hello') presence.opened(event.connectionId);
          else if (event !== null) passOn(event);
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
      broadcast.post({ type: 'event', of, id: lastId, event });
      publish(event);
    }

    function beat(): void {
      cancelBeat();
      broadcast.post({ type: 'beat', of, id: lastId, connected: connected.get() });
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

  /** Called with what the leading tab reports; it holds until the next report is due. */
  function setConnected(isConnected: boolean): void {
    cancelExpiry();
    connected.set(isConnected);
    if (isConnected) cancelExpiry = clock.after(expiresAfter, () => connected.set(false));
  }

  broadcast.subscribe((message) => {
    if (message.type === 'ask') {
      stream?.beat();
      return;
    }
    if (message.of !== personId) return;
    if (Number(message.id) > Number(lastId)) lastId = message.id;
    if (message.type === 'event') publish(message.event);
    if (stream === null) setConnected(message.type === 'event' || message.connected);
  });
  update();
  person.subscribe(update);
  leader.subscribe(update);

  return {
    connected,
    on(type, listener) {
      const ofType = listeners.get(type) ?? new Set();
      listeners.set(type, ofType);
      const entry = listener as (event: ServerEvent) => void;
      ofType.add(entry);
      return () => void ofType.delete(entry);
    },
  };
}

/** Returns null for an event that this release does not know. */
function readEvent(data: string): ServerEvent | null {
  try {
    const read = serverEvent.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Reports to the server how many tabs are behind one stream. */
type PresenceReport = {
  /** The counts to send when a stream is opened. */
  opening(): Promise<TabCounts>;
  /** Called when the stream is open under this id; later changes of the counts are reported. */
  opened(connectionId: string): void;
  lost(): void;
};

type PresenceReportDependencies = { api: Api; clock: Clock; openTabs: OpenTabs };

/** Milliseconds; a person who opens three tabs, or types and saves, causes only one report. */
const delay = 500;
const firstRetry = 5_000;
const longestRetry = 60_000;

/**
 * Reports how many tabs this browser has, and how many of them have unsaved work: when the stream is opened,
 * and when the counts change (MAINT-7).
 */
function createPresenceReport({ api, clock, openTabs }: PresenceReportDependencies): PresenceReport {
  let connectionId: string | null = null;
  let reported: TabCounts | null = null;
  let failures = 0;
  let cancelTimer = () => {};
  let stopWatching = () => {};

  const refresher = createRefresher(async (signal) => {
    const id = connectionId;
    const body = await openTabs.count();
    if (signal.aborted || id === null) return;
    if (reported?.tabs === body.tabs && reported.unsaved === body.unsaved) return;
    try {
      await api.call(publishPresence, { params: { connectionId: id }, body }, { signal });
      reported = body;
      failures = 0;
    } catch (error) {
      // If the server no longer knows the stream, the stream is about to break; the next one reports the
      // counts again.
      if (signal.aborted || isProblem(error, 'NOT_FOUND')) return;
      failures += 1;
      plan(Math.min(longestRetry, firstRetry * 2 ** (failures - 1)));
    }
  });

  function plan(milliseconds: number): void {
    cancelTimer();
    cancelTimer = clock.after(milliseconds, () => void refresher.again());
  }

  function lost(): void {
    cancelTimer();
    stopWatching();
    refresher.cancel();
    connectionId = null;
  }

  return {
    async opening() {
      reported = await openTabs.count();
      return reported;
    },
    opened(id) {
      lost();
      connectionId = id;
      failures = 0;
      stopWatching = openTabs.onChange(() => {
        if (failures === 0) plan(delay);
      });
      // The counts may have changed while the stream was being opened.
      plan(delay);
    },
    lost,
  };
}
