import type { ServerEvent } from '@portico/contract/events';
import { maintenanceStatus, type MaintenanceStatus } from '@portico/contract/maintenance';
import type { PresenceOfBrowser } from '@portico/contract/presence';
import type { SessionEnd } from '@portico/contract/session/end';
import type { FastifyReply } from 'fastify';
import type { ChangeFeed } from '../../platform/database/change-feed.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Reader } from '../../platform/database/database.ts';
import { comeBack, createEventStream, eventMessage } from '../../platform/http/event-stream.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { newId } from '../../platform/keys/ids.ts';
import type { Logger } from '../../platform/log/logger.ts';
import { createPeriodic } from '../../platform/time/periodic.ts';
import type { ReportNews } from '../feedback/report-list.ts';
import type { Presence } from '../presence/counter.ts';
import { createConnections, type Connection } from './connections.ts';
import { lastChangeAt, missedSince, seenBy } from './missed.ts';
import {
  addNews,
  everything,
  followedTopics,
  inOrder,
  noticeOf,
  type News,
  type NewsSet,
  type Notice,
} from './news.ts';

/** The streams of `/v1/events` that this process holds. */
export type LiveEvents = {
  /**
   * Opens the stream of a person's browser.
   *
   * @throws SESSION_ENDED, PERSON_BLOCKED where that has happened since the access check
   */
  open(
    who: { personId: string; sessionId: string },
    reply: FastifyReply,
    options: { lastEventId: string | undefined; browser: PresenceOfBrowser },
  ): Promise<void>;
  /** Streams that are open here now. */
  connected(): number;
  /** Sends every browser a time to reconnect, and closes its stream. */
  close(): Promise<void>;
};

export type LiveEventsParts = {
  read: Reader;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  maintenance: { now(): Omit<MaintenanceStatus, 'serverTime'>; onChange(listener: () => void): void };
  presence: Presence;
  /** Whether a person may be here now; null where there is no such person. */
  standing(personId: string): { state: string } | null | Promise<{ state: string } | null>;
  /** Of a person who is blocked: whether that is because they were erased. */
  isErased(personId: string): Promise<boolean>;
  /** Those of the sessions that go on. */
  sessionsGoingOn(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** What the key of a published `session-end` stands for. */
  readSessionEnd(key: string): { sessionId: string; reason: SessionEnd } | null;
  /** Own reports that have another status since, as their reporter may know it, the first to change first. */
  reportsChangedSince(personId: string, since: number, most: number): Promise<ReportNews[]>;
  /** Whether a person holds a right now. */
  holdsRight(personId: string, right: string): Promise<boolean>;
};

/** After which a client reconnects whose stream broke. */
const retryMs = 3_000;
/** Who opens more streams than that loses the oldest, which is not to displace the next one at once. */
const most = { ofPerson: 20, ofSession: 6 };
const displacedForMs = 60_000;
/** A session that expires is published by nothing. */
const lookEveryMs = 60_000;
const batch = 500;

/** With more of them a person looks at the list. */
const mostReports = 20;

/** What many load again at once is spread over time: two milliseconds for each connection. */
const spreadEachMs = 2;
const mostSpreadMs = 10_000;

/**
 * Sends browsers what concerns them. Nothing is lost: the id of each message is the time of the last change that this
 * browser knows of, and with it a stream that broke off is continued.
 *
 * - A connection is registered before its first messages are read; what comes meanwhile is held back and follows them.
 * - What the feed publishes is collected and sent by one worker, so that of two states of a report the later one comes last.
 *   Until it has sent them, no message carries an id behind what it still has to send.
 */
export function createLiveEvents(parts: LiveEventsParts): LiveEvents {
  const { read, feed, clock, logger, maintenance, presence } = parts;
  const streams = createEventStream(retryMs);
  const connections = createConnections(most);

  /** Single reports are read as they are now. */
  async function eventsOf(personId: string, set: NewsSet, since: number): Promise<ServerEvent[]> {
    const events = inOrder(set).map(async ({ news, receivers }) => {
      switch (news.type) {
        case 'report':
          return parts.reportsChangedSince(personId, since, mostReports);
        case 'rights':
        case 'changed':
          return [{ ...news, within: Math.min(spreadEachMs * receivers, mostSpreadMs) }];
        default:
          return [news];
      }
    });
    return (await Promise.all(events)).flat();
  }

  const maintenanceNow = (): ServerEvent => ({
    type: 'maintenance',
    status: maintenanceStatus.parse({ ...maintenance.now(), serverTime: clock.now() }),
  });

  // ---- what is published

  let asked = new Map<string, NewsSet>();
  /** For everyone, and for who holds a right. */
  let askedOfMany: Notice[] = [];
  let ended = new Map<string, SessionEnd>();
  /** Up to here everything has been published; null while nothing is left to publish. */
  let publishedUpTo: number | null = null;
  let running: Promise<void> | null = null;

  const known = (): number => publishedUpTo ?? feed.publishedAt();

  function wake(): void {
    publishedUpTo ??= feed.publishedAt();
    running ??= publishWhileAsked();
  }

  /** @param receivers how many receive it at the same time; 0: it is this person's alone, and not spread over time */
  function ask(personId: string, news: News, receivers = 0): void {
    if (connections.ofPerson(personId).length === 0) return;
    const set: NewsSet = asked.get(personId) ?? new Map();
    addNews(set, news, receivers);
    asked.set(personId, set);
    wake();
  }

  for (const topic of followedTopics)
    feed.on(topic, (change) => {
      const { news, receivers } = noticeOf(change);
      if (typeof receivers === 'object' && 'personId' in receivers) ask(receivers.personId, news);
      else {
        askedOfMany.push({ news, receivers });
        wake();
      }
    });
  feed.on('session', ({ key }) => {
    if (connections.ofSession(key).length === 0) return;
    ended.set(key, ended.get(key) ?? 'ended');
    wake();
  });
  // Published along with `session`, before the next step or in it.
  feed.on('session-end', ({ key }) => {
    const end = parts.readSessionEnd(key);
    if (end !== null && connections.ofSession(end.sessionId).length > 0) ended.set(end.sessionId, end.reason);
  });
  maintenance.onChange(() => {
    streams.broadcast(framed(maintenanceNow(), known()));
  });

  function isAsked(): boolean {
    return asked.size > 0 || ended.size > 0 || askedOfMany.length > 0;
  }

  async function publishWhileAsked(): Promise<void> {
    // One change may publish several things; the feed knows all of it in the next step.
    await Promise.resolve();
    while (isAsked()) {
      const toAll: NewsSet = new Map();
      const [many, since] = [askedOfMany, known()];
      askedOfMany = [];
      for (const { news, receivers } of many) {
        if (typeof receivers === 'object' && 'right' in receivers) await askHolders(receivers.right, news);
        else addNews(toAll, news, connections.size);
      }
      const [people, sessions] = [asked, ended];
      asked = new Map();
      ended = new Map();
      const answers = await Promise.all([...people].map((entry) => readNews(...entry, since)));
      const ofAll = await eventsOf('', toAll, since);
      if (!isAsked()) publishedUpTo = null;
      // All in one step, so that a browser that receives an id has received what it stands for.
      for (const event of ofAll) sendAll(event);
      for (const { personId, events, end } of answers) {
        for (const connection of connections.ofPerson(personId)) {
          for (const event of events) send(connection, framed(event, known()));
          if (end !== null) finish(connection, end());
        }
      }
      for (const [sessionId, reason] of sessions) endSession(sessionId, reason);
    }
    // In one step with the last look: what is asked between the two would be lost.
    running = null;
  }

  async function askHolders(right: string, news: News): Promise<void> {
    try {
      const people = connections.personIds();
      const holds = await Promise.all(people.map((personId) => parts.holdsRight(personId, right)));
      const holders = people.filter((_each, index) => holds[index]);
      for (const personId of holders) ask(personId, news, holders.length);
    } catch (error) {
      logger.error({ err: error }, 'the holders of a right could not be read; all streams begin anew');
      for (const connection of connections.all()) finish(connection, comeBack());
    }
  }

  async function readNews(
    personId: string,
    set: NewsSet,
    since: number,
  ): Promise<{ personId: string; events: ServerEvent[]; end: (() => Buffer) | null }> {
    try {
      const asksProfile = inOrder(set).some(({ news }) => news.type === 'profile');
      const state = asksProfile ? (await parts.standing(personId))?.state : 'active';
      if (state === undefined || state === 'blocked') {
        const reason =
          state === undefined ? 'ended' : (await parts.isErased(personId)) ? 'erased' : 'blocked';
        return { personId, events: [], end: () => over(reason) };
      }
      return { personId, events: await eventsOf(personId, set, since), end: null };
    } catch (error) {
      logger.error({ err: error }, 'what changed for a person could not be read; their streams begin anew');
      return { personId, events: [], end: comeBack };
    }
  }

  /** Also to those whose first messages are still being read. */
  function sendAll(event: ServerEvent): void {
    const message = framed(event, known());
    streams.broadcast(message);
    for (const { held } of connections.all()) held?.push(message);
  }

  function send(connection: Connection, message: Buffer): void {
    if (connection.stream === null) connection.held?.push(message);
    else streams.send(connection.stream, message);
  }

  // ---- how a stream ends

  const over = (reason: SessionEnd): Buffer => framed({ type: 'session-ended', reason }, known());

  function finish(connection: Connection, last: Buffer): void {
    if (!connections.remove(connection)) return;
    connection.last = last;
    if (connection.stream === null) return;
    presence.closed(connection.id);
    streams.end(connection.stream, last);
  }

  function gone(connection: Connection): void {
    if (connections.remove(connection)) presence.closed(connection.id);
  }

  function endSession(sessionId: string, reason: SessionEnd): void {
    for (const connection of connections.ofSession(sessionId)) finish(connection, over(reason));
  }

  const periodic = createPeriodic(logger, lookEveryMs, {
    async 'sessions of event streams'() {
      const sessionIds = connections.sessionIds();
      for (let start = 0; start < sessionIds.length; start += batch) {
        const some = sessionIds.slice(start, start + batch);
        const goingOn = await parts.sessionsGoingOn(some);
        for (const sessionId of some) if (!goingOn.has(sessionId)) endSession(sessionId, 'ended');
      }
    },
  });

  // ---- how one begins

  /** Hello and what the browser has missed; maintenance follows, as it is when they are written. */
  async function firstEvents(
    { id, personId, sessionId }: Connection,
    lastEventId: string | undefined,
  ): Promise<{ events: ServerEvent[]; seen: number; at: number }> {
    const at = await lastChangeAt(read);
    const [standing, goingOn] = [await parts.standing(personId), await parts.sessionsGoingOn([sessionId])];
    // The access check may have accepted a person whom a change has refused since, before it was received here.
    if (standing?.state === 'blocked') throw new HttpProblem('PERSON_BLOCKED');
    if (standing === null || !goingOn.has(sessionId)) throw new HttpProblem('SESSION_ENDED');
    const seen = seenBy(lastEventId, at);
    const missed =
      typeof seen === 'number'
        ? await missedSince(read, personId, seen)
        : seen === 'unknown'
          ? everything
          : [];
    const set: NewsSet = new Map();
    for (const { news, receivers } of missed) {
      if (receivers === 'everyone') addNews(set, news, connections.size);
      else if ('right' in receivers) {
        if (await parts.holdsRight(personId, receivers.right)) addNews(set, news, 0);
      } else if (receivers.personId === personId) addNews(set, news, 0);
    }
    const events: ServerEvent[] = [
      { type: 'hello', connectionId: id },
      ...(await eventsOf(personId, set, typeof seen === 'number' ? seen : at)),
    ];
    return { events, seen: typeof seen === 'number' ? seen : seen === 'unknown' ? 0 : at, at };
  }

  return {
    async open({ personId, sessionId }, reply, { lastEventId, browser }) {
      const connection: Connection = { id: newId(), personId, sessionId, stream: null, held: [], last: null };
      const displaced = connections.add(connection);
      if (displaced !== null) finish(displaced, comeBack(displacedForMs));
      let first: Awaited<ReturnType<typeof firstEvents>>;
      try {
        first = await firstEvents(connection, lastEventId);
      } catch (error) {
        connections.remove(connection);
        throw error;
      }
      const { events, seen, at } = first;
      const messages = [
        // A stream that breaks off before the last of them has not received them.
        ...events.map((event) => framed(event, seen)),
        framed(maintenanceNow(), at),
        ...(connection.held ?? []),
      ];
      connection.held = null;
      const onClose = () => gone(connection);
      const stream = streams.open(reply, { first: Buffer.concat(messages), onClose });
      if (stream === null) connections.remove(connection);
      else if (connection.last !== null) streams.end(stream, connection.last);
      else {
        connection.stream = stream;
        presence.opened({ connectionId: connection.id, personId, ...browser });
      }
    },
    connected: () => streams.size,
    async close() {
      streams.close();
      await periodic.stop();
      await running;
    },
  };
}

function framed(event: ServerEvent, at: number): Buffer {
  return eventMessage({ event: event.type, id: String(at), data: JSON.stringify(event) });
}
