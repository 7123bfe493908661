import type { ClientKey, ClientKeyKind, Flag } from '@portico/contract/flags';
import type { MaintenanceStatus } from '@portico/contract/maintenance';
import type { FastifyReply } from 'fastify';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createEventStream, type EventStream } from '../../platform/event-stream.ts';
import type { Logger } from '../../platform/logger.ts';
import { clientKeys } from './client-keys.store.ts';
import { lastChange, readFlags } from './flags.store.ts';
import {
  compilePayload,
  definitionsOf,
  isOfVersion,
  type MaintenanceProjection,
  type Payload,
} from './payload.ts';

/** The flags as they are served, always from memory. */
export type LiveFlags = {
  /** The version that is served now. */
  current(): Payload;
  kindOf(clientKey: string): ClientKeyKind | null;
  keys(): readonly ClientKey[];
  /** The key with which Portico's own web reads. */
  personalKey(): string;
  /** Opens a stream; what the client has seen last is the id of its last event, or the date of its payload. */
  stream(
    clientKey: string,
    kind: ClientKeyKind,
    reply: FastifyReply,
    options: { seen: string | null; headers: Record<string, string> },
  ): void;
  /** Clients connected to this process now. */
  connected(): number;
  /** Those of them that are connected with this key. */
  connectedWith(clientKey: string): number;
  /** Resolves once what was written before is served here; a rebuild that fails counts, since it is tried again by itself. */
  caughtUp(): Promise<void>;
  close(): void;
};

export type LiveFlagsParts = {
  database: Database;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  maintenance: {
    /** From memory. */
    now(): MaintenanceShown;
    /** As it is kept, which `now()` may be about to learn. */
    read(): Promise<MaintenanceProjection>;
    onChange(listener: () => void): void;
    source: 'portico' | 'flag-host';
  };
};

/** What pages show of maintenance: more than the two flags say. */
type MaintenanceShown = MaintenanceProjection & Pick<MaintenanceStatus, 'expectedEnd' | 'upcoming'>;

/** GrowthBook's own figure. */
const retryMs = 10_000;
/** For how long a change of maintenance waits for the database; after that it is served with the flags that are known. */
const patienceMs = 500;

/**
 * Holds the compiled flags and fans each new version out.
 *
 * A change (of flags, of maintenance, here or on another replica) asks for a rebuild. One rebuild runs at a time; changes that
 * come meanwhile are taken together by the next one, which reads after them. A rebuild that fails leaves what is served and
 * is tried again; maintenance alone does not wait for a database that is away, since closing and opening the house must work then too.
 * A version goes to the streams only if its flags differ from what was served before.
 */
export async function createLiveFlags(parts: LiveFlagsParts): Promise<LiveFlags> {
  const { database, feed, clock, logger, maintenance } = parts;
  /** The streams of each key, which are closed together when it is revoked. */
  const streams = new Map<string, EventStream>();
  let keys = await clientKeys(database);
  let kinds = new Map(keys.map(({ key, kind }) => [key, kind]));
  // With another flag host, or while the database is away, maintenance changes without a change of ours; its time is then the clock's.
  let ownAt = 0;
  let flagsRead: Flag[] = [];
  let payload = await build();

  // A version stands for one content only: an SDK ignores a payload whose version it has. So what was read counts if
  // nothing changed while it was read.
  async function build(): Promise<Payload> {
    for (;;) {
      const at = await lastChange(database.read);
      const read = await readFlags(database.read);
      const definitions = definitionsOf(read, await maintenance.read());
      if ((await lastChange(database.read)) !== at) continue;
      flagsRead = read;
      return compilePayload(definitions, Math.max(at, ownAt));
    }
  }

  let running: Promise<void> | null = null;
  let asked = false;
  let shown = shownOf(maintenance.now());
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let impatience: NodeJS.Timeout | undefined;

  function streamsOf(clientKey: string): EventStream {
    const known = streams.get(clientKey);
    if (known !== undefined) return known;
    const made = createEventStream(retryMs);
    if (closed) made.close();
    streams.set(clientKey, made);
    return made;
  }

  function broadcast(kind: ClientKeyKind, message: Buffer): void {
    for (const [key, stream] of streams) if (kinds.get(key) === kind) stream.broadcast(message);
  }

  // One reading after the other, so that an older one never counts last. Until one has succeeded it is tried again: a key that
  // was revoked must not go on working.
  let keysReading: Promise<void> = Promise.resolve();
  let keysRetry: NodeJS.Timeout | undefined;

  function readKeys(): void {
    clearTimeout(keysRetry);
    keysReading = keysReading.then(async () => {
      if (closed) return;
      try {
        keys = await clientKeys(database);
        kinds = new Map(keys.map(({ key, kind }) => [key, kind]));
        for (const [key, stream] of streams) {
          if (kinds.has(key)) continue;
          streams.delete(key);
          stream.close();
        }
      } catch (error) {
        logger.error({ err: error }, 'the client keys could not be read; it is tried again');
        keysRetry = setTimeout(readKeys, 1_000);
      }
    });
  }

  function rebuild(): void {
    if (closed) return;
    asked = true;
    running ??= rebuildWhileAsked();
  }

  async function rebuildWhileAsked(): Promise<void> {
    clearTimeout(retry);
    retry = undefined;
    while (asked) {
      asked = false;
      try {
        publish(await build());
      } catch (error) {
        logger.error(
          { err: error },
          'the flags could not be prepared; what was served before goes on, and it is tried again',
        );
        retry = setTimeout(rebuild, 1_000);
        break;
      }
    }
    if (retry === undefined) clearTimeout(impatience);
    // In one step with the last look at `asked`: a change between the two would be nobody's.
    running = null;
  }

  function publish(next: Payload): void {
    if (closed) return;
    const before = shown;
    shown = shownOf(maintenance.now());
    if (next.features === payload.features) {
      // Read only and the expected end are in no flag; Portico's own pages ask for the status when they hear this.
      if (shown !== before) broadcast('personal', next.updatedEvent);
      return;
    }
    if (next.at <= payload.at) {
      // Only where maintenance has changed without a change of ours.
      ownAt = payload.at + 1;
      rebuild();
      return;
    }
    payload = next;
    broadcast('plain', next.featuresEvent);
    broadcast('remote-eval', next.updatedEvent);
    broadcast('personal', next.updatedEvent);
  }

  /** Serves the flags that are known with maintenance as it is now, without the database. */
  async function publishMaintenance(): Promise<void> {
    const definitions = definitionsOf(flagsRead, maintenance.now());
    if (JSON.stringify(definitions) === payload.features) return;
    ownAt = Math.max(payload.at + 1, clock.now());
    const before = payload;
    const next = await compilePayload(definitions, ownAt);
    // What the database has said meanwhile is newer than the flags of this one.
    if (payload === before) publish(next);
  }

  feed.on('flags', rebuild);
  feed.on('client-keys', readKeys);
  maintenance.onChange(() => {
    if (maintenance.source === 'flag-host') ownAt = Math.max(payload.at + 1, clock.now());
    clearTimeout(impatience);
    impatience = setTimeout(() => void publishMaintenance(), patienceMs);
    rebuild();
  });

  return {
    current: () => payload,
    kindOf: (clientKey) => kinds.get(clientKey) ?? null,
    keys: () => keys,
    personalKey: () => keys.find(({ kind }) => kind === 'personal')?.key ?? '',
    stream(clientKey, kind, reply, { seen, headers }) {
      const isCurrent = seen !== null && isOfVersion(seen, payload.at);
      const event = kind === 'plain' ? payload.featuresEvent : payload.updatedEvent;
      streamsOf(clientKey).open(reply, { headers, first: isCurrent ? null : event });
    },
    connected: () => [...streams.values()].reduce((sum, stream) => sum + stream.size, 0),
    connectedWith: (clientKey) => streams.get(clientKey)?.size ?? 0,
    async caughtUp() {
      await Promise.all([running, keysReading]);
    },
    close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(impatience);
      clearTimeout(keysRetry);
      for (const stream of streams.values()) stream.close();
    },
  };
}

function shownOf({ mode, text, severity, expectedEnd, upcoming }: MaintenanceShown): string {
  return JSON.stringify([mode, text, severity, expectedEnd, upcoming]);
}
