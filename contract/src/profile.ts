import * as z from 'zod/mini';
import { route } from './route.ts';
import { id, instant, version } from './text.ts';

/** A person's profile as it is answered (PRO-1). Texts are empty, never absent, where nothing is known. */
export const profile = z.object({
  id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  organisation: z.string(),
  jobTitle: z.string(),
  /** `en`, `de`, `fr`, or null: the browser's. */
  locale: z.nullable(z.string()),
  /** An IANA zone, or null: the browser's. */
  timeZone: z.nullable(z.string()),
  /** A file id, or null. */
  avatar: z.nullable(z.string()),
  createdAt: instant,
  version,
});
export type Profile = z.infer<typeof profile>;

export const getProfile = route({
  method: 'GET',
  path: '/v1/users/:userId/profile',
  summary: "A person's profile; `current` is the caller's own (PRO-1)",
  access: { self: 'userId', orRight: 'PEOPLE_READ' },
  closed: 'open',
  params: z.object({ userId: id }),
  answer: profile,
});

/** Carries minutes east of UTC on every call after the profile has loaded (PRO-3). */
export const timeOffsetHeader = 'x-time-offset';
