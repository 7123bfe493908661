import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id } from '#contract/text.ts';
import { ownSession } from './own-sessions.ts';

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
