import { presentTimeZone } from '#contract/time-zones.ts';
import type { Reader } from '#server/platform/database/database.ts';

/** What flag rules may ask about a person (FLAG-3). */
export type PersonAttributes = {
  id: string;
  email: string;
  /** What stands behind the last `@`, or empty. */
  emailDomain: string;
  roles: string[];
  /** The groups that an identity provider names; the embedded one has none. */
  groups: string[];
  locale: string | null;
  timeZone: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

/**
 * The attributes of a person as they are now, or null where there is no such person. They change with the
 * topics `person` and `rights`.
 */
export async function personAttributes(read: Reader, personId: string): Promise<PersonAttributes | null> {
  const person = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'person.created_at', 'profile.locale', 'profile.time_zone'])
    .where('person.id', '=', personId)
    .executeTakeFirst();
  if (person === undefined) return null;
  const roles = await read
    .selectFrom('person_role')
    .select('role')
    .where('person_id', '=', personId)
    .execute();
  return {
    id: person.id,
    email: person.email,
    emailDomain: person.email.includes('@') ? person.email.slice(person.email.lastIndexOf('@') + 1) : '',
    roles: roles.map(({ role }) => role).toSorted(),
    groups: [],
    locale: person.locale,
    timeZone: person.time_zone === null ? null : presentTimeZone(person.time_zone),
    createdAt: person.created_at,
  };
}
