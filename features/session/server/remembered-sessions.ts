import { LRUCache } from 'lru-cache';
import type { Core } from '#server/core.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { readCookie } from './cookies.ts';
import { touchEveryMs, type FoundSession, type PersonCaller, type Sessions } from './sessions.ts';

/** The session cookie as it is asked for at every request to an application. */
export type RememberedSessions = {
  /**
   * The caller behind the session cookie, at once where the check is remembered; null where there is no session
   * that goes on. Throws PERSON_BLOCKED.
   *
   * @param host the application's that the request was sent to; null: that of PUBLIC_URL
   * @param use whether the request counts as use of the session, which ends without any
   */
  callerOf(
    cookieHeader: string | undefined,
    host: string | null,
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
/** Of a cookie: the hash of its secret, and the host whose it is. */
type Asked = { key: string; hash: string; host: string | null };

/**
 * Remembers for seconds which session a cookie belongs to, so that a request needs no database as a rule.
 * Idle time and lifetime are checked each time. The use is recorded once a minute, without delaying the request.
 */
export function createRememberedSessions(
  options: Pick<Core, 'clock' | 'logger'> & {
    feed: Pick<ChangeFeed, 'on'>;
    /** Name of the cookie. */
    cookie: string;
    /** Topics whose key is the session for which the cookie may have ended. */
    ends: readonly ('session' | 'map-cookie')[];
    idleMs: number;
    sessions: Pick<Sessions, 'bySecret' | 'noteUse'>;
  },
): RememberedSessions {
  const { feed, clock, logger, cookie, ends, idleMs, sessions } = options;
  // By session: the keys of the hosts where it has been seen.
  const keys = new Map<string, Set<string>>();
  const remembered = new LRUCache<string, Remembered>({
    maxSize: mostRemembered,
    sizeCalculation: () => 1,
    dispose({ session }, key, reason) {
      if (reason === 'set') return;
      const own = keys.get(session.id);
      own?.delete(key);
      if (own?.size === 0) keys.delete(session.id);
    },
  });
  const underWay = new Map<string, Promise<FoundSession | null>>();
  const recording = new Set<Promise<void>>();

  // What is being read may have been read before the change: it is answered, and not remembered.
  for (const topic of ends)
    feed.on(topic, ({ key }) => {
      underWay.clear();
      for (const each of keys.get(key) ?? []) remembered.delete(each);
    });
  feed.on('person', ({ key }) => {
    underWay.clear();
    for (const [own, { caller }] of remembered.entries()) if (caller.id === key) remembered.delete(own);
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

  function read(asked: Asked): Promise<FoundSession | null> {
    const { key } = asked;
    const reading: Promise<FoundSession | null> = find(asked, () => underWay.get(key) === reading).finally(
      () => {
        if (underWay.get(key) === reading) underWay.delete(key);
      },
    );
    underWay.set(key, reading);
    return reading;
  }

  async function find({ key, hash, host }: Asked, isCurrent: () => boolean): Promise<FoundSession | null> {
    const readAt = clock.now();
    const found = await sessions.bySecret(hash, host);
    if (found === null) remembered.delete(key);
    if (found === null || !isCurrent()) return found;
    const known = { ...found, readAt };
    remembered.set(key, known);
    keys.set(found.session.id, (keys.get(found.session.id) ?? new Set<string>()).add(key));
    return known;
  }

  async function readAndUse(asked: Asked, use: boolean): Promise<PersonCaller | null> {
    const found = await (underWay.get(asked.key) ?? read(asked));
    if (use && found !== null) noteUse(found, clock.now());
    return found?.caller ?? null;
  }

  return {
    callerOf(cookieHeader, host, use) {
      const secret = readCookie(cookieHeader, cookie);
      if (secret === undefined || secret === '') return null;
      const hash = hashSecret(secret);
      const key = host === null ? hash : `${hash} ${host}`;
      const known = remembered.get(key);
      const now = clock.now();
      if (
        known === undefined ||
        now >= known.readAt + rememberedMs ||
        now < known.readAt ||
        isOver(known, now)
      )
        return readAndUse({ key, hash, host }, use);
      if (use) noteUse(known, now);
      return known.caller;
    },
    async close() {
      await Promise.all(recording);
    },
  };
}
