import type { ServerEvent } from '#features/events/contract/events.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Connection } from './connections.ts';
import { lastChangeAt, missedSince, seenBy } from './missed.ts';
import { addNews, everything, receivesOwn, type NewsSet } from './news.ts';
import { eventsOf, type PersonAnswers } from './server-events.ts';

/**
 * The hello event and what the browser has missed; the state of maintenance follows when they are written.
 * Also the time up to which the browser knows all changes: before these events (`seen`), and after them
 * (`at`).
 *
 * @param connected how many browsers are connected
 * @throws SESSION_ENDED, PERSON_BLOCKED where that has happened since the access check
 */
export async function firstEvents(
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
  // The access check may have accepted a person whom a change has refused since, before it was received here.
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
