import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant, line, version } from '#contract/text.ts';

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
  /** An IANA zone by its present name, or null: the browser's. */
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

/** The languages that a profile may name: those of the catalogues. */
export const profileLocale = z.enum(['en', 'de', 'fr']);

/**
 * An IANA zone that this engine knows; the server stores one under an older name under the present one.
 * Offsets such as `+02:00` are not zones: they know no daylight saving.
 */
export const timeZone = z.string().check(
  z.maxLength(64),
  z.refine((zone) => isTimeZone(zone), 'is not a time zone'),
);

function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** A phone number: digits with what people write between them; empty: none. */
const phone = line(0, 50).check(
  z.regex(/^$|^(?=(?:\D*\d){3})[\d\s+()./,;#*x-]+$/i, 'is not a telephone number'),
);

export const updateProfile = route({
  method: 'PUT',
  path: '/v1/users/:userId/profile',
  summary: 'Replaces what a person tells about themselves (PRO-1)',
  access: { self: 'userId', orRight: 'PEOPLE_WRITE' },
  params: z.object({ userId: id }),
  body: z.strictObject({
    firstName: line(0, 100),
    lastName: line(0, 100),
    phone,
    organisation: line(0, 200),
    jobTitle: line(0, 200),
    locale: z.nullable(profileLocale),
    timeZone: z.nullable(timeZone),
    /** A picture that the caller has uploaded, or null. */
    avatar: z.nullable(id),
    version,
    // The further fields of the answer of GET may be sent along, unchanged.
    id: z.optional(z.string()),
    email: z.optional(z.string()),
    createdAt: z.optional(z.number()),
  }),
  answer: profile,
});

/** Carries minutes east of UTC on every call after the profile has loaded (PRO-3). */
export const timeOffsetHeader = 'x-time-offset';
