import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** One place where a person is signed in. Addresses are not stored. */
const ownSession = z.object({
  id,
  /** Whether this session made the request. */
  current: z.boolean(),
  /** The names that the browser sends, such as `Firefox` and `Windows`; null where none is known. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  createdAt: instant,
  /** When the session was last used, recorded once a minute at most. */
  seenAt: instant,
  /** When the session ends at the latest. */
  expiresAt: instant,
});
export type OwnSession = z.infer<typeof ownSession>;

export const listSessions = route({
  method: 'GET',
  path: '/v1/sessions',
  summary: 'Where the caller is signed in, the last seen first; a person’s alone, an API token is refused',
  access: 'signed-in',
  closed: 'open',
  answer: z.object({ sessions: z.array(ownSession) }),
});

export const endSession = route({
  method: 'DELETE',
  path: '/v1/sessions/:sessionId',
  summary: 'Ends another session of the caller, at once; the own one ends by signing out',
  access: 'signed-in',
  closed: 'open',
  params: z.object({ sessionId: id }),
  answer: 'nothing',
});

export const endOtherSessions = route({
  method: 'DELETE',
  path: '/v1/sessions',
  summary: 'Ends every session of the caller but the one that asks, at once',
  access: 'signed-in',
  closed: 'open',
  answer: z.object({ ended: z.number() }),
});

const onePerson = z.object({ personId: id });

export const listSessionsOfPerson = route({
  method: 'GET',
  path: '/v1/people/:personId/sessions',
  summary: 'Where a person is signed in, the last seen first, without network addresses',
  access: { right: 'PEOPLE_READ' },
  params: onePerson,
  /** `current` marks the session that asks, where operators look at their own sessions. */
  answer: z.object({ sessions: z.array(ownSession) }),
});

export const endSessionOfPerson = route({
  method: 'DELETE',
  path: '/v1/people/:personId/sessions/:sessionId',
  summary: 'Ends one session of a person, at once; the one that asks ends by signing out',
  access: { right: 'PEOPLE_WRITE' },
  params: z.object({ personId: id, sessionId: id }),
  answer: 'nothing',
});

export const endSessionsOfPerson = route({
  method: 'DELETE',
  path: '/v1/people/:personId/sessions',
  summary: 'Ends every session of a person, at once, but the one that asks',
  access: { right: 'PEOPLE_WRITE' },
  params: onePerson,
  answer: z.object({ ended: z.number() }),
});
