import { LRUCache } from 'lru-cache';
import type { Core } from '#server/core.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { readCookie } from './cookies.ts';
import { touchEveryMs, type FoundSession, type PersonCaller, type Sessions } from './sessions.ts';

/** Finds the session of a cookie, at every request to an application. */
export type RememberedSessions = {
  /**
   * The caller behind the session cookie, without a promise where the check is remembered; null where there is no
   * session, or it is over. Throws PERSON_BLOCKED.
   *
   * @param host the host of the application that the request was sent to; null: that of PUBLIC_URL
   * @param use whether the request counts as use of the session, which ends when it is not used
   */
  callerOf(
    cookieHeader: string | undefined,
    host: string | null,
    use: boolean,
  ): PersonCaller | null | Promise<PersonCaller | null>;
  /** Waits for the uses that are being recorded. */
  close(): Promise<void>;
};

/**
 * How long a found session is not read again. A published end or block removes it at once; this time is for a
 * publication that is lost, and for an end by time that was brought forward.
 */
const rememberedMs = 5_000;
const mostRemembered = 10_000;

type Remembered = FoundSession & { readAt: number };
/** A cookie: the hash of its secret, and the host that it belongs to. */
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
    /** Topics of changes that may have ended the cookie; their key is the session. */
    ends: readonly ('session' | 'map-cookie')[];
    idleMs: number;
    sessions: Pick<Sessions, 'bySecret' | 'noteUse'>;
  },
): RememberedSessions {
  const { feed, clock, logger, cookie, ends, idleMs, sessions } = options;
  // For each session, its keys in `remembered`: one for each host where it has been seen.
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

  // A read that is under way may be older than the change: it is answered, but not remembered.
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
