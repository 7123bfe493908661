import { setImmediate } from 'node:timers/promises';
import type { ServerEvent } from '#features/events/contract/events.ts';
import type { SessionEnd } from '#features/session/contract/end.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import { retryMessage } from '#server/platform/http/event-stream.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import type { BrowserStreams } from './browser-streams.ts';
import {
  addNews,
  followedTopics,
  inOrder,
  noticeOf,
  receivesOwn,
  type News,
  type NewsSet,
  type Notice,
} from './news.ts';
import { eventsOf, messageOf, type PersonAnswers } from './server-events.ts';

/** How many people are checked for a right at once: with one database read each (`read`), or from memory. */
const atOnce = { read: 20, inMemory: 1_000 };

/** Sends each change that the change feed publishes to the browsers that it concerns. */
export type NewsPublisher = {
  /** The time up to which every browser has received all changes: the id of the next message. */
  publishedUpTo(): number;
  endSession(sessionId: string, reason: SessionEnd): void;
  /** Resolves when nothing is being published. */
  idle(): Promise<void>;
};

export type NewsPublisherParts = PersonAnswers & {
  feed: ChangeFeed;
  logger: Logger;
  /** Parses the key of a published `session-end`. */
  readSessionEnd(key: string): { sessionId: string; reason: SessionEnd } | null;
};

/** Changes that the feed has published and browsers have not received yet. */
type Waiting = {
  people: Map<string, NewsSet>;
  /** Notices for everyone, and for the holders of a right. */
  many: Notice[];
  sessionEnds: Map<string, SessionEnd>;
};

/**
 * One worker collects and sends the published changes, so that two states of a report arrive in order. No
 * message has an id later than a change that is still to be sent.
 */
export function createNewsPublisher(parts: NewsPublisherParts, streams: BrowserStreams): NewsPublisher {
  const { feed, logger } = parts;
  const { connections } = streams;
  const waiting: Waiting = { people: new Map(), many: [], sessionEnds: new Map() };
  /** The time up to which everything has been sent; null while nothing is left to send. */
  let behindAt: number | null = null;
  let running: Promise<void> | null = null;

  /**
   * The connected people who hold a right, by right, cached until rights change or another person connects:
   * reading the holders for each report would take longer than sending it.
   */
  const holders = new Map<string, { joined: number; people: string[] }>();

  const publishedUpTo = (): number => behindAt ?? feed.publishedAt();

  function wake(): void {
    behindAt ??= feed.publishedAt();
    running ??= publishWhileWaiting();
  }

  /**
   * @param receivers how many people receive the news at the same time; 0: only this person, so the reload is
   *   not spread over time
   */
  function add(personId: string, news: News, receivers = 0): void {
    if (connections.ofPerson(personId).length === 0) return;
    const set: NewsSet = waiting.people.get(personId) ?? new Map();
    addNews(set, news, receivers);
    waiting.people.set(personId, set);
    wake();
  }

  for (const topic of ['right-rules', 'rights', 'person'] as const) feed.on(topic, () => holders.clear());
  for (const topic of followedTopics)
    feed.on(topic, (change) => {
      const { news, receivers } = noticeOf(change);
      if (typeof receivers === 'object' && 'personId' in receivers) add(receivers.personId, news);
      else {
        waiting.many.push({ news, receivers });
        wake();
      }
    });
  feed.on('session', ({ key }) => {
    if (connections.ofSession(key).length === 0) return;
    waiting.sessionEnds.set(key, waiting.sessionEnds.get(key) ?? 'ended');
    wake();
  });
  // The feed publishes it together with `session`, in one loop, so the reason is known before anything is sent.
  feed.on('session-end', ({ key }) => {
    const end = parts.readSessionEnd(key);
    if (end !== null && connections.ofSession(end.sessionId).length > 0)
      waiting.sessionEnds.set(end.sessionId, end.reason);
  });

  const isWaiting = (): boolean =>
    waiting.people.size > 0 || waiting.sessionEnds.size > 0 || waiting.many.length > 0;

  async function publishWhileWaiting(): Promise<void> {
    // One change may publish several topics; the feed has published all of them by the next microtask.
    await Promise.resolve();
    while (isWaiting()) {
      const toAll: NewsSet = new Map();
      const [many, since] = [waiting.many, publishedUpTo()];
      waiting.many = [];
      for (const { news, receivers } of many) {
        if (typeof receivers === 'object' && 'right' in receivers) await addForHolders(receivers.right, news);
        else addNews(toAll, news, connections.size);
      }
      const { people, sessionEnds } = waiting;
      waiting.people = new Map();
      waiting.sessionEnds = new Map();
      const answers = await Promise.all([...people].map((entry) => readNews(...entry, since)));
      const ofAll = await eventsOf(parts, '', toAll, since);
      if (!isWaiting()) behindAt = null;
      // No `await` from here to the last message: no other change may be published between two of them.
      for (const { personId, events, end } of answers) {
        for (const connection of connections.ofPerson(personId)) {
          const own = events.filter((event) => receivesOwn(connection, event));
          for (const message of messagesOf(own, since, ofAll.length > 0)) streams.send(connection, message);
          if (end !== null) streams.end(connection, end());
        }
      }
      for (const message of messagesOf(ofAll, since)) streams.sendAll(message);
      for (const [sessionId, reason] of sessionEnds) endSession(sessionId, reason);
    }
    // No `await` after the last `isWaiting()`: a change published between the two would be lost.
    running = null;
  }

  /** Only the last message carries the new time, so a stream that breaks earlier receives all of them again. */
  const messagesOf = (events: readonly ServerEvent[], since: number, moreFollow = false): Buffer[] =>
    events.map((event, index) =>
      messageOf(event, moreFollow || index < events.length - 1 ? since : publishedUpTo()),
    );

  async function addForHolders(right: string, news: News): Promise<void> {
    try {
      const holders = await holdersOf(right);
      for (const personId of holders) add(personId, news, holders.length);
    } catch (error) {
      logger.error({ err: error }, 'the holders of a right could not be read; all streams start again');
      for (const connection of connections.all()) streams.end(connection, retryMessage());
    }
  }

  async function holdersOf(right: string): Promise<readonly string[]> {
    const known = holders.get(right);
    if (known?.joined === connections.joined) return known.people;
    const found: { joined: number; people: string[] } = { joined: connections.joined, people: [] };
    // Cached before the rights are read, so that a change of rights during the reads removes the entry.
    holders.set(right, found);
    let reads: Promise<unknown>[] = [];
    try {
      for (const [at, personId] of connections.personIds().entries()) {
        const holds = parts.holdsRight(personId, right);
        if (holds === true) found.people.push(personId);
        else if (holds !== false) reads.push(holds.then((held) => held && found.people.push(personId)));
        if (reads.length < atOnce.read && (at + 1) % atOnce.inMemory !== 0) continue;
        await Promise.all(reads);
        await setImmediate();
        reads = [];
      }
      await Promise.all(reads);
    } catch (error) {
      holders.delete(right);
      throw error;
    }
    return found.people;
  }

  async function readNews(
    personId: string,
    set: NewsSet,
    since: number,
  ): Promise<{ personId: string; events: ServerEvent[]; end: (() => Buffer) | null }> {
    try {
      const asksProfile = inOrder(set).some(({ news }) => news.type === 'profile');
      const state = asksProfile ? (await parts.accountState(personId))?.state : 'active';
      if (state === undefined || state === 'blocked') {
        const reason =
          state === undefined ? 'ended' : (await parts.isErased(personId)) ? 'erased' : 'blocked';
        return { personId, events: [], end: () => over(reason) };
      }
      return { personId, events: await eventsOf(parts, personId, set, since), end: null };
    } catch (error) {
      logger.error({ err: error }, 'the changes for a person could not be read; their streams start again');
      return { personId, events: [], end: retryMessage };
    }
  }

  const over = (reason: SessionEnd): Buffer => messageOf({ type: 'session-ended', reason }, publishedUpTo());

  function endSession(sessionId: string, reason: SessionEnd): void {
    streams.endSession(sessionId, over(reason));
  }

  return { publishedUpTo, endSession, idle: async () => running ?? undefined };
}
