import type { FastifyReply } from 'fastify';
import type { ClientKey, ClientKeyKind, Flag } from '#features/flags/contract/flags.ts';
import { boundaries } from '#features/flags/contract/schedules.ts';
import type { Segment } from '#features/flags/contract/segments.ts';
import type { MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import type { Core } from '#server/core.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import { createEventStream, type EventStream } from '#server/platform/http/event-stream.ts';
import { clientKeys, keysWithPayload, type KeyWithPayload } from './client-keys.store.ts';
import { lastChange, readFlags } from './flags.store.ts';
import {
  compilePayload,
  definitionsOf,
  isOfVersion,
  plainFor,
  type MaintenanceProjection,
  type Payload,
} from './payload.ts';
import { createListReader, readSegments } from './segments.store.ts';
import type { Lists } from './segments.ts';

/** The reconnection time that GrowthBook itself uses. */
const retryMs = 10_000;

/** The flags as they are served, always from memory. */
export type LiveFlags = {
  /** The payload that is served now. */
  current(): Payload;
  kindOf(clientKey: string): ClientKeyKind | null;
  /** Whether the variations of people are stored for this key. */
  isSticky(clientKey: string): boolean;
  keys(): readonly ClientKey[];
  /** The flags as last read, from memory; flags that are off, and texts of flags, may be out of date. */
  definitions(): readonly Flag[];
  /** Whether there is such a flag, on or off. */
  isFlag(key: string): boolean;
  /** The client key of Portico's own web. */
  personalKey(): string;
  /**
   * Opens a stream with the events for this kind of key, or for OFREP. `seen` is the id of the client's last event,
   * or the date of its payload.
   */
  stream(
    clientKey: string,
    events: ClientKeyKind | 'ofrep',
    reply: FastifyReply,
    options: { seen: string | null; headers: Record<string, string> },
  ): void;
  /** Clients connected to this process now, by key, without Portico's own pages. */
  clients(): ConnectedClients;
  /** All of them. */
  connected(): number;
  /** Counters since the start of this process. */
  readonly usage: { evaluations: number };
  /**
   * Resolves once earlier writes are served by this process, or their rebuild has failed, which is retried.
   */
  caughtUp(): Promise<void>;
  close(): void;
};

/** How many clients are connected, by client key. */
export type ConnectedClients = Readonly<Record<string, number>>;

export function clientsIn(connected: ConnectedClients): number {
  return Object.values(connected).reduce((sum, clients) => sum + clients, 0);
}

export type LiveFlagsParts = Pick<Core, 'database' | 'feed' | 'clock' | 'logger'> & {
  maintenance: {
    /** From memory. */
    now(): MaintenanceShown;
    /** The stored state, which `now()` may not have read yet; `changedAt` is the time of its change. */
    read(): Promise<MaintenanceProjection & Pick<MaintenanceStatus, 'changedAt'>>;
    onChange(listener: () => void): void;
    source: 'portico' | 'flag-host';
  };
};

/** The parts of maintenance that pages show; the two flags contain only some of them. */
type MaintenanceShown = MaintenanceProjection & Pick<MaintenanceStatus, 'texts' | 'expectedEnd' | 'upcoming'>;

/**
 * Milliseconds that a change of maintenance waits for the database before it is served with the cached flags.
 */
const timeoutMs = 500;

/** How often the clock is checked for a rule that begins, grows or ends: a timer of hours is wrong after sleep. */
const lookMs = 250;

/**
 * Compiles the flags and sends each new version to the streams.
 *
 * Each change of flags or maintenance, on any replica, causes a rebuild (`memoryOf`), and so does each change of
 * a rule by its schedule. A change of maintenance does not wait for an unavailable database, since maintenance
 * must start and end then too. A version is sent to the streams only if its flags differ from the version
 * before.
 */
export async function createLiveFlags(parts: LiveFlagsParts): Promise<LiveFlags> {
  const { database, feed, clock, logger, maintenance } = parts;
  const streams = createFlagStreams();
  const ofrepStreams = createFlagStreams();
  const readLists = createListReader();
  // The time of the last change that has no database write: of maintenance with another flag host, or of
  // maintenance or a rule while the database is unavailable. It comes from the clock.
  let ownAt = 0;
  /** The data of the payload, without maintenance. */
  let read: { flags: Flag[]; segments: Segment[]; lists: Lists; keys: KeyWithPayload[] } = {
    flags: [],
    segments: [],
    lists: {},
    keys: [],
  };
  let flagKeys: ReadonlySet<string> = new Set();
  let shown = shownOf(maintenance.now());
  let closed = false;
  let withoutDatabase: NodeJS.Timeout | undefined;
  /** The next time at which a rule begins, grows or ends. */
  let nextTurn = Infinity;

  // A failed read is retried, since a revoked key must stop working.
  const keys = await memoryOf({
    read: () => clientKeys(database),
    feed,
    topics: ['client-keys'],
    logger,
    failure: 'the client keys could not be read; it is tried again',
    onRead: setKeys,
  });
  setKeys(keys.current());
  const built = await memoryOf({
    read: build,
    feed,
    topics: ['flags'],
    logger,
    failure: 'the flags could not be prepared; the ones before are served, and it is tried again',
    onRead: publish,
  });
  let payload = built.current();

  function setKeys(working: readonly ClientKey[]): void {
    streams.setKeys(working);
    ofrepStreams.setKeys(working);
  }

  // A version must have only one content, since an SDK ignores a payload whose version it already has. A read
  // therefore counts only if nothing changed during it. Time also changes maintenance and rules, so the version
  // is never older than the last of these changes, even after a restart.
  async function build(): Promise<Payload> {
    for (;;) {
      const at = await lastChange(database.read);
      const flags = await readFlags(database.read);
      const segments = await readSegments(database.read);
      const lists = await readLists(database.read, segments);
      const payloadKeys = await keysWithPayload(database.read);
      const maintained = await maintenance.read();
      if ((await lastChange(database.read)) !== at) continue;
      read = { flags, segments, lists, keys: payloadKeys };
      flagKeys = new Set(flags.map(({ key }) => key));
      return prepare(maintained, versionAt(Math.max(at, ownAt, maintained.changedAt)));
    }
  }

  function turns(now: number): ReturnType<typeof boundaries> {
    return boundaries(
      read.flags.flatMap(({ enabled, rules }) => (enabled ? rules : [])),
      now,
    );
  }

  /** The version for a change at the time `changed`, which is in the future if another replica's clock is ahead. */
  function versionAt(changed: number): number {
    return Math.max(changed, turns(Math.max(changed, clock.now())).last);
  }

  function prepare(maintained: MaintenanceProjection, at: number): Promise<Payload> {
    const { flags, segments } = read;
    nextTurn = turns(at).next;
    const forSignedOut = flags.filter((flag) => flag.forSignedOut).map(({ key }) => key);
    return compilePayload(definitionsOf(flags, maintained, segments, at), at, { ...read, forSignedOut });
  }

  function publish(next: Payload): void {
    if (closed) return;
    const before = shown;
    shown = shownOf(maintenance.now());
    if (next.content === payload.content) {
      // No flag contains read-only mode or the expected end; Portico's own pages load the status on this event.
      if (shown !== before) streams.broadcast('personal', () => next.updatedEvent);
      return;
    }
    if (next.olderIsTooLarge)
      logger.error(
        'lists would make the payload for older SDKs larger than 32 MB; until fewer rules name them, or they are shorter, rules that name a list do not apply there',
      );
    if (next.at <= payload.at) {
      // This happens only if maintenance has changed without a write to the database.
      ownAt = payload.at + 1;
      built.readAgain();
      return;
    }
    payload = next;
    streams.broadcast('plain', (key) => plainFor(next, key).event);
    streams.broadcast('remote-eval', () => next.updatedEvent);
    streams.broadcast('personal', () => next.updatedEvent);
    ofrepStreams.broadcast(null, () => next.refetchEvent);
  }

  /** Serves the flags in memory, with maintenance and rules as of now, without reading the database. */
  async function publishKnown(): Promise<void> {
    const { flags, segments } = read;
    const now = clock.now();
    if (JSON.stringify(definitionsOf(flags, maintenance.now(), segments, now)) === payload.features) return;
    const turn = turns(now).last;
    ownAt = turn > payload.at ? turn : Math.max(payload.at + 1, now);
    const before = payload;
    const next = await prepare(maintenance.now(), ownAt);
    // A payload that was read during the preparation is newer than this one.
    if (payload === before) publish(next);
  }

  maintenance.onChange(() => {
    if (maintenance.source === 'flag-host') ownAt = Math.max(payload.at + 1, clock.now());
    rebuild();
  });
  const looking = setInterval(() => {
    if (clock.now() < nextTurn) return;
    nextTurn = Infinity;
    rebuild();
  }, lookMs);

  function rebuild(): void {
    clearTimeout(withoutDatabase);
    withoutDatabase = setTimeout(() => void publishKnown(), timeoutMs);
    built.readAgain();
  }

  function clients(): ConnectedClients {
    const counts: Record<string, number> = {};
    for (const [key, connected] of [...streams.connected(), ...ofrepStreams.connected()])
      if (key !== personalKey()) counts[key] = (counts[key] ?? 0) + connected;
    return counts;
  }
  const personalKey = () => keys.current().find(({ kind }) => kind === 'personal')?.key ?? '';

  return {
    current: () => payload,
    kindOf: streams.kindOf,
    isSticky: streams.isSticky,
    keys: keys.current,
    definitions: () => read.flags,
    isFlag: (key) => flagKeys.has(key),
    personalKey,
    stream(clientKey, events, reply, { seen, headers }) {
      const isCurrent = seen !== null && isOfVersion(seen, payload.at);
      const { updatedEvent, refetchEvent } = payload;
      const plainEvent = () => plainFor(payload, clientKey).event;
      const event = events === 'plain' ? plainEvent() : events === 'ofrep' ? refetchEvent : updatedEvent;
      (events === 'ofrep' ? ofrepStreams : streams)
        .of(clientKey)
        .open(reply, { headers, first: isCurrent ? null : event });
    },
    clients,
    connected: () => clientsIn(clients()),
    usage: { evaluations: 0 },
    async caughtUp() {
      await Promise.all([built.caughtUp(), keys.caughtUp()]);
    },
    close() {
      closed = true;
      clearTimeout(withoutDatabase);
      clearInterval(looking);
      built.close();
      keys.close();
      streams.close();
      ofrepStreams.close();
    },
  };
}

function shownOf({ mode, text, texts, severity, expectedEnd, upcoming }: MaintenanceShown): string {
  return JSON.stringify([mode, text, texts, severity, expectedEnd, upcoming]);
}

/** The keys that work and the streams of each key; revoking a key closes its streams. */
function createFlagStreams() {
  const streams = new Map<string, EventStream>();
  let kinds: ReadonlyMap<string, ClientKeyKind> = new Map();
  let sticky: ReadonlySet<string> = new Set();
  let closed = false;

  return {
    /** Sets the keys that work from now on, and closes the streams of all other keys. */
    setKeys(keys: readonly ClientKey[]): void {
      kinds = new Map(keys.map(({ key, kind }) => [key, kind]));
      sticky = new Set(keys.filter(({ stickyBuckets }) => stickyBuckets).map(({ key }) => key));
      for (const [key, stream] of streams) {
        if (kinds.has(key)) continue;
        streams.delete(key);
        stream.close();
      }
    },
    kindOf: (clientKey: string): ClientKeyKind | null => kinds.get(clientKey) ?? null,
    isSticky: (clientKey: string): boolean => sticky.has(clientKey),
    of(clientKey: string): EventStream {
      const known = streams.get(clientKey);
      if (known !== undefined) return known;
      const made = createEventStream(retryMs);
      if (closed) made.close();
      streams.set(clientKey, made);
      return made;
    },
    /** Sends a message to the streams of all keys of a kind, or of all keys if `kind` is null. */
    broadcast(kind: ClientKeyKind | null, messageFor: (key: string) => Buffer): void {
      for (const [key, stream] of streams)
        if (kind === null || kinds.get(key) === kind) stream.broadcast(messageFor(key));
    },
    /** Clients connected to this process now, by key. */
    connected: (): [key: string, clients: number][] =>
      [...streams].filter(([, { size }]) => size > 0).map(([key, { size }]) => [key, size]),
    close(): void {
      closed = true;
      for (const stream of streams.values()) stream.close();
    },
  };
}
