import type { FastifyReply } from 'fastify';
import type { ServerEvent } from '#features/events/contract/events.ts';
import { maintenanceStatus, type MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import type { PresenceOfBrowser } from '#features/presence/contract/presence.ts';
import type { Reader, Topic } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Presence } from '#features/presence/server/presence.ts';
import { createBrowserStreams } from './browser-streams.ts';
import type { Connection } from './connections.ts';
import { createNewsPublisher, type NewsPublisherParts } from './news-publisher.ts';
import { messageOf, eventsOf, type PersonAnswers } from './server-events.ts';
import {
  addNews,
  everything,
  receivesOwn,
  type NewsSet,
  followedTopics,
  noticeOf,
  type Notice,
} from './news.ts';

/** The changes that a browser has seen: all up to a time, none, or unknown (everything then counts as changed). */
type Seen = number | 'nothing' | 'unknown';

/** Changes are looked up at most this far back; for an older event id, everything counts as changed. */
const longAgoMs = 30 * 24 * 3_600_000;

/** The streams of `/v1/events` that this process holds. */
export type LiveEvents = {
  /**
   * Opens the stream of a person's browser.
   *
   * @throws SESSION_ENDED, PERSON_BLOCKED if the session ended or the person was blocked since the access check
   */
  open(
    who: Pick<Connection, 'personId' | 'sessionId' | 'atOtherHost'>,
    reply: FastifyReply,
    options: { lastEventId: string | undefined; browser: PresenceOfBrowser },
  ): Promise<void>;
  /** The number of streams that this process has open. */
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

/** Interval for finding expired sessions: no published change reports that a session expires. */
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
        // Only the last message has the new time: a stream that breaks earlier receives all messages again.
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

/**
 * Reads the hello event and the events that the browser has missed; the caller adds the state of maintenance.
 * Also answers the time up to which the browser knows all changes: before these events (`seen`), and after
 * them (`at`).
 *
 * @param connected how many browsers are connected
 * @throws SESSION_ENDED, PERSON_BLOCKED if the session ended or the person was blocked since the access check
 */
async function firstEvents(
  parts: PersonAnswers & { read: Reader },
  connection: Connection,
  lastEventId: string | undefined,
  connected: () => number,
): Promise<{ events: ServerEvent[]; seen: number; at: number }> {
  const { read } = parts;
  const { id, personId, sessionId } = connection;
  const at = await lastChangeAt(read);
  const [accountState, goingOn] = [
    await parts.accountState(personId),
    await parts.sessionsGoingOn([sessionId]),
  ];
  // The access check may have passed before this process received the block of the person or the session's end.
  if (accountState?.state === 'blocked') throw new HttpProblem('PERSON_BLOCKED');
  if (accountState === null || !goingOn.has(sessionId)) throw new HttpProblem('SESSION_ENDED');
  const seen = seenBy(lastEventId, at);
  const missed =
    typeof seen === 'number' ? await missedSince(read, personId, seen) : seen === 'unknown' ? everything : [];
  const set: NewsSet = new Map();
  for (const { news, receivers } of missed) {
    if (receivers === 'everyone') addNews(set, news, connected());
    else if (!receivesOwn(connection, news)) continue;
    else if ('right' in receivers) {
      if (await parts.holdsRight(personId, receivers.right)) addNews(set, news, 0);
    } else if (receivers.personId === personId) addNews(set, news, 0);
  }
  const events: ServerEvent[] = [
    { type: 'hello', connectionId: id },
    ...(await eventsOf(parts, personId, set, typeof seen === 'number' ? seen : at)),
  ];
  return { events, seen: typeof seen === 'number' ? seen : seen === 'unknown' ? 0 : at, at };
}

/**
 * Reads a `Last-Event-ID`; `at` is the time of the last change. A later id means that the database has been
 * restored to an earlier state since.
 */
function seenBy(lastEventId: string | undefined, at: number): Seen {
  if (lastEventId === undefined || lastEventId === '') return 'nothing';
  const seen = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  return seen <= at && seen > at - longAgoMs ? seen : 'unknown';
}

/** The time of the last guarded change. All changes up to it are committed, so later reads include them. */
async function lastChangeAt(read: Reader): Promise<number> {
  const { at } = await read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  return at;
}

/** The changes since a time (milliseconds) for everyone, for a person, and for the holders of a right. */
async function missedSince(read: Reader, personId: string, since: number): Promise<Notice[]> {
  const rows = await read
    .selectFrom('changed')
    .select(['topic', 'key'])
    .where((row) =>
      row.or([
        row('topic', 'in', followedTopics).and('key', 'in', ['', personId]),
        row('topic', '=', 'list').and(
          row.or([row('key', 'not like', '% person %'), row('key', 'like', `% person ${personId}`)]),
        ),
      ]),
    )
    .where('at', '>', since)
    .execute();
  return rows.map(({ topic, key }) => noticeOf({ topic: topic as Topic, key }));
}
