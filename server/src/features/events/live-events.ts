import type { ServerEvent } from '@portico/contract/events';
import { maintenanceStatus, type MaintenanceStatus } from '@portico/contract/maintenance';
import type { PresenceOfBrowser } from '@portico/contract/presence';
import type { FastifyReply } from 'fastify';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/database.ts';
import { comeBack, createEventStream, eventMessage } from '../../platform/event-stream.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import { newId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { createPeriodic } from '../../platform/periodic.ts';
import type { ReportNews } from '../feedback/report-list.ts';
import type { Presence } from '../presence/presence.ts';
import { createConnections, type Connection } from './connections.ts';
import { lastChangeAt, missedSince, seenBy, type Missed } from './missed.ts';

/** The streams of `/v1/events` that this process holds. */
export type LiveEvents = {
  /**
   * Opens the stream of a person's browser.
   *
   * @throws SESSION_ENDED, PERSON_BLOCKED where that has happened since the door let the person in
   */
  open(
    who: { personId: string; sessionId: string },
    reply: FastifyReply,
    options: { lastEventId: string | undefined; browser: PresenceOfBrowser },
  ): Promise<void>;
  /** Streams that are open here now. */
  connected(): number;
  /** Tells every browser when to come back, and closes its stream. */
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
  /** Own reports that have another status since, as their reporter is told, the first to change first. */
  reportsChangedSince(personId: string, since: number, most: number): Promise<ReportNews[]>;
};

/** After which a client comes back whose stream broke. */
const retryMs = 3_000;
/** Whoever holds more streams than that loses the oldest, which is not to push out the next one at once. */
const most = { ofPerson: 20, ofSession: 6 };
const displacedForMs = 60_000;
/** Sessions that run out tell nobody. */
const lookEveryMs = 60_000;
const batch = 500;

/** Whoever was away for longer looks at the list. */
const mostReports = 20;

/** Questions about rights that concern everybody come spread: two milliseconds for each who is connected. */
const spreadEachMs = 2;
const mostSpreadMs = 10_000;

type News = { rights: boolean; person: boolean; reports: boolean };

/**
 * Tells browsers what concerns them. Nothing is lost: the id of each message is the time of the last change that this
 * browser knows of, so that what breaks off is taken up there.
 *
 * - A connection is found from before its first messages are read; what comes meanwhile is held back and follows them.
 * - What the feed tells is collected and told by one worker, so that of two states of a report the later one comes last. Until it has told, no message
 *   carries an id behind what it still has to tell.
 */
export function createLiveEvents(parts: LiveEventsParts): LiveEvents {
  const { read, feed, clock, logger, maintenance, presence } = parts;
  const streams = createEventStream(retryMs);
  const connections = createConnections(most);

  const rightsOfAll = (): ServerEvent => ({
    type: 'rights',
    within: Math.min(spreadEachMs * connections.size, mostSpreadMs),
  });

  const maintenanceNow = (): ServerEvent => ({
    type: 'maintenance',
    status: maintenanceStatus.parse({ ...maintenance.now(), serverTime: clock.now() }),
  });

  // ---- what is told

  let asked = new Map<string, News>();
  let ended = new Set<string>();
  let rightsChanged = false;
  /** Up to here everything has been told; null while nothing is left to tell. */
  let toldUpTo: number | null = null;
  let running: Promise<void> | null = null;

  const known = (): number => toldUpTo ?? feed.toldAt();

  function wake(): void {
    toldUpTo ??= feed.toldAt();
    running ??= tellWhileAsked();
  }

  function ask(personId: string, about: keyof News): void {
    if (connections.ofPerson(personId).length === 0) return;
    const news = asked.get(personId) ?? { rights: false, person: false, reports: false };
    asked.set(personId, { ...news, [about]: true });
    wake();
  }

  feed.on('rights', ({ key }) => {
    if (key !== '') ask(key, 'rights');
    else {
      rightsChanged = true;
      wake();
    }
  });
  feed.on('person', ({ key }) => ask(key, 'person'));
  feed.on('reports', ({ key }) => ask(key, 'reports'));
  feed.on('session', ({ key }) => {
    if (connections.ofSession(key).length === 0) return;
    ended.add(key);
    wake();
  });
  maintenance.onChange(() => {
    streams.broadcast(framed(maintenanceNow(), known()));
  });

  async function tellWhileAsked(): Promise<void> {
    // One change may tell several things; the feed knows all of it in the next step.
    await Promise.resolve();
    while (asked.size > 0 || ended.size > 0 || rightsChanged) {
      const [people, sessions, all, since] = [asked, ended, rightsChanged, known()];
      asked = new Map();
      ended = new Set();
      rightsChanged = false;
      const answers = await Promise.all([...people].map((entry) => readNews(...entry, since)));
      if (asked.size === 0 && ended.size === 0 && !rightsChanged) toldUpTo = null;
      // All in one step, so that whoever gets an id has got what it stands for.
      if (all) {
        const message = framed(rightsOfAll(), known());
        streams.broadcast(message);
        for (const { held } of connections.all()) held?.push(message);
      }
      for (const { personId, events, end } of answers) {
        for (const connection of connections.ofPerson(personId)) {
          for (const event of events) send(connection, framed(event, known()));
          if (end !== null) finish(connection, end());
        }
      }
      for (const sessionId of sessions) endSession(sessionId);
    }
    // In one step with the last look: what is asked between the two would be nobody's.
    running = null;
  }

  async function readNews(
    personId: string,
    news: News,
    since: number,
  ): Promise<{ personId: string; events: ServerEvent[]; end: (() => Buffer) | null }> {
    try {
      const state = news.person ? (await parts.standing(personId))?.state : 'active';
      if (state === undefined || state === 'blocked') {
        const reason =
          state === undefined ? 'ended' : (await parts.isErased(personId)) ? 'erased' : 'blocked';
        return { personId, events: [], end: () => over(reason) };
      }
      const events: ServerEvent[] = [
        ...(news.rights ? [{ type: 'rights', within: 0 } as const] : []),
        ...(news.person ? [{ type: 'profile' } as const] : []),
        ...(news.reports ? await parts.reportsChangedSince(personId, since, mostReports) : []),
      ];
      return { personId, events, end: null };
    } catch (error) {
      logger.error({ err: error }, 'what changed for a person could not be read; their streams begin anew');
      return { personId, events: [], end: comeBack };
    }
  }

  function send(connection: Connection, message: Buffer): void {
    if (connection.stream === null) connection.held?.push(message);
    else streams.send(connection.stream, message);
  }

  // ---- how a stream ends

  const over = (reason: 'ended' | 'blocked' | 'erased'): Buffer =>
    framed({ type: 'session-ended', reason }, known());

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

  function endSession(sessionId: string): void {
    for (const connection of connections.ofSession(sessionId)) finish(connection, over('ended'));
  }

  const periodic = createPeriodic(logger, lookEveryMs, {
    async 'sessions of event streams'() {
      const sessionIds = connections.sessionIds();
      for (let start = 0; start < sessionIds.length; start += batch) {
        const some = sessionIds.slice(start, start + batch);
        const goingOn = await parts.sessionsGoingOn(some);
        for (const sessionId of some) if (!goingOn.has(sessionId)) endSession(sessionId);
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
    // The door may have let in whom a change has shut out since, before it was heard of here.
    if (standing?.state === 'blocked') throw new HttpProblem('PERSON_BLOCKED');
    if (standing === null || !goingOn.has(sessionId)) throw new HttpProblem('SESSION_ENDED');
    const seen = seenBy(lastEventId, at);
    const missed: Missed =
      typeof seen === 'number'
        ? await missedSince(read, personId, seen)
        : seen === 'unknown'
          ? { rights: 'everybody', profile: true, reports: false }
          : { rights: 'no', profile: false, reports: false };
    const events: ServerEvent[] = [
      { type: 'hello', connectionId: id },
      ...(missed.rights === 'no'
        ? []
        : [missed.rights === 'own' ? ({ type: 'rights', within: 0 } as const) : rightsOfAll()]),
      ...(missed.profile ? [{ type: 'profile' } as const] : []),
      ...(missed.reports && typeof seen === 'number'
        ? await parts.reportsChangedSince(personId, seen, mostReports)
        : []),
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
        // What breaks off before the last of them was not heard.
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
