import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from '../../platform/database/change-feed.ts';
import { hashSecret } from '../../platform/keys/ids.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { readCookie } from './cookies.ts';
import { touchEveryMs, type FoundSession, type PersonCaller, type Sessions } from './sessions.ts';

/** The session cookie as it is asked for at every request to an application. */
export type RememberedSessions = {
  /**
   * The caller behind the session cookie, at once where the check is remembered; null where there is no session
   * that goes on. Throws PERSON_BLOCKED.
   *
   * @param use whether the request counts as use of the session, which ends without any
   */
  callerOf(
    cookieHeader: string | undefined,
    use: boolean,
  ): PersonCaller | null | Promise<PersonCaller | null>;
  /** Waits for what is being recorded. */
  close(): Promise<void>;
};

/**
 * How long a session that was found is not read again. Its end and a block are published and end this at once;
 * the time is for a publication that is lost, and for an end by time that was brought forward.
 */
const rememberedMs = 5_000;
const mostRemembered = 10_000;

type Remembered = FoundSession & { readAt: number };

/**
 * Remembers for seconds which session a cookie belongs to, so that a request needs no database as a rule.
 * Idle and lifetime are looked at each time; that the session was used is recorded once a minute, beside the
 * request.
 */
export function createRememberedSessions(options: {
  feed: Pick<ChangeFeed, 'on'>;
  clock: Clock;
  logger: Logger;
  /** Name of the session's cookie. */
  cookie: string;
  idleMs: number;
  sessions: Pick<Sessions, 'bySecret' | 'noteUse'>;
}): RememberedSessions {
  const { feed, clock, logger, cookie, idleMs, sessions } = options;
  const hashes = new Map<string, string>();
  const remembered = new LRUCache<string, Remembered>({
    maxSize: mostRemembered,
    sizeCalculation: () => 1,
    dispose: ({ session }, hash) => {
      if (hashes.get(session.id) === hash) hashes.delete(session.id);
    },
  });
  const underWay = new Map<string, Promise<FoundSession | null>>();
  const recording = new Set<Promise<void>>();

  // What is being read may have been read before the change: it is answered, and not remembered.
  feed.on('session', ({ key }) => {
    underWay.clear();
    const hash = hashes.get(key);
    if (hash !== undefined) remembered.delete(hash);
  });
  feed.on('person', ({ key }) => {
    underWay.clear();
    for (const [hash, { caller }] of remembered.entries()) if (caller.id === key) remembered.delete(hash);
  });

  const isOver = ({ session }: Remembered, now: number): boolean =>
    now >= session.expiresAt || now >= session.seenAt + idleMs;

  function noteUse(found: FoundSession, now: number): void {
    if (now < found.session.seenAt + touchEveryMs) return;
    found.session.seenAt = now;
    const writing = sessions
      .noteUse(found.session, now)
      .catch((error: unknown) => logger.error({ err: error }, 'the use of a session could not be recorded'))
      .finally(() => recording.delete(writing));
    recording.add(writing);
  }

  function read(hash: string): Promise<FoundSession | null> {
    const reading: Promise<FoundSession | null> = find(hash, () => underWay.get(hash) === reading).finally(
      () => {
        if (underWay.get(hash) === reading) underWay.delete(hash);
      },
    );
    underWay.set(hash, reading);
    return reading;
  }

  async function find(hash: string, isCurrent: () => boolean): Promise<FoundSession | null> {
    const readAt = clock.now();
    const found = await sessions.bySecret(hash);
    if (found === null) remembered.delete(hash);
    if (found === null || !isCurrent()) return found;
    const known = { ...found, readAt };
    remembered.set(hash, known);
    hashes.set(found.session.id, hash);
    return known;
  }

  async function readAndUse(hash: string, use: boolean): Promise<PersonCaller | null> {
    const found = await (underWay.get(hash) ?? read(hash));
    if (use && found !== null) noteUse(found, clock.now());
    return found?.caller ?? null;
  }

  return {
    callerOf(cookieHeader, use) {
      const secret = readCookie(cookieHeader, cookie);
      if (secret === undefined || secret === '') return null;
      const hash = hashSecret(secret);
      const known = remembered.get(hash);
      const now = clock.now();
      if (
        known === undefined ||
        now >= known.readAt + rememberedMs ||
        now < known.readAt ||
        isOver(known, now)
      )
        return readAndUse(hash, use);
      if (use) noteUse(known, now);
      return known.caller;
    },
    async close() {
      await Promise.all(recording);
    },
  };
}
