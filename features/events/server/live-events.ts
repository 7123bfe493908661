import type { ServerEvent } from '#features/events/contract/events.ts';
import { maintenanceStatus, type MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import type { PresenceOfBrowser } from '#features/presence/contract/presence.ts';
import type { FastifyReply } from 'fastify';
import type { Reader } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import type { Presence } from '#features/presence/server/counter.ts';
import { createBrowserStreams } from './browser-streams.ts';
import type { Connection } from './connections.ts';
import { firstEvents } from './first-events.ts';
import { createNewsPublisher, type NewsPublisherParts } from './news-publisher.ts';
import { messageOf } from './server-events.ts';

/** The streams of `/v1/events` that this process holds. */
export type LiveEvents = {
  /**
   * Opens the stream of a person's browser.
   *
   * @throws SESSION_ENDED, PERSON_BLOCKED where that has happened since the access check
   */
  open(
    who: Pick<Connection, 'personId' | 'sessionId' | 'atOtherHost'>,
    reply: FastifyReply,
    options: { lastEventId: string | undefined; browser: PresenceOfBrowser },
  ): Promise<void>;
  /** Streams that are open here now. */
  connected(): number;
  /** Sends every browser a time to reconnect, and closes its stream. */
  close(): Promise<void>;
};

export type LiveEventsParts = NewsPublisherParts & {
  read: Reader;
  clock: Clock;
  maintenance: { now(): Omit<MaintenanceStatus, 'serverTime'>; onChange(listener: () => void): void };
  presence: Presence;
};

/** A session that expires is published by nothing. */
const lookEveryMs = 60_000;
const batch = 500;

/**
 * Sends each browser the changes that concern it. Nothing is lost: the id of a message is the time of the
 * last change that the browser knows, from which a broken stream continues. A connection is registered before
 * its first messages are read; changes until then are held back and follow them.
 */
export function createLiveEvents(parts: LiveEventsParts): LiveEvents {
  const { clock, maintenance } = parts;
  const streams = createBrowserStreams(parts.presence);
  const { connections } = streams;
  const publisher = createNewsPublisher(parts, streams);

  const maintenanceNow = (): ServerEvent => ({
    type: 'maintenance',
    status: maintenanceStatus.parse({ ...maintenance.now(), serverTime: clock.now() }),
  });
  maintenance.onChange(() => streams.sendOpen(messageOf(maintenanceNow(), publisher.publishedUpTo())));

  const periodic = createPeriodic(parts.logger, lookEveryMs, {
    async 'sessions of event streams'() {
      const sessionIds = connections.sessionIds();
      for (let start = 0; start < sessionIds.length; start += batch) {
        const some = sessionIds.slice(start, start + batch);
        const goingOn = await parts.sessionsGoingOn(some);
        for (const sessionId of some) if (!goingOn.has(sessionId)) publisher.endSession(sessionId, 'ended');
      }
    },
  });

  return {
    async open(who, reply, { lastEventId, browser }) {
      const connection: Connection = { id: newId(), ...who, stream: null, held: [], last: null };
      streams.register(connection);
      let first: Awaited<ReturnType<typeof firstEvents>>;
      try {
        first = await firstEvents(parts, connection, lastEventId, () => connections.size);
      } catch (error) {
        connections.remove(connection);
        throw error;
      }
      const { events, seen, at } = first;
      const messages = [
        // A stream that breaks off before the last of them has not received them.
        ...events.map((event) => messageOf(event, seen)),
        messageOf(maintenanceNow(), at),
      ];
      streams.open(connection, reply, messages, browser);
    },
    connected: streams.size,
    async close() {
      streams.close();
      await periodic.stop();
      await publisher.idle();
    },
  };
}
