import type { Profile } from '#features/profile/contract/profile.ts';
import { presentTimeZone } from '#contract/time-zones.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { nextVersion, searchText } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    profile: {
      person_id: string;
      first_name: string;
      last_name: string;
      /** The name, or the email address where there is none, as people are put in order and searched. */
      name_key: string;
      phone: string;
      organisation: string;
      job_title: string;
      locale: string | null;
      time_zone: string | null;
      avatar: string | null;
      version: number;
    };
  }
}

export type NewProfile = {
  firstName: string;
  lastName: string;
  /** The person's email address, which stands for the name where there is none. */
  email: string;
  locale?: string | null;
};

/** Adds the profile of a person who is being created in the same transaction. */
export async function addProfile(tx: Writer, personId: string, profile: NewProfile): Promise<void> {
  await tx
    .insertInto('profile')
    .values({
      person_id: personId,
      first_name: profile.firstName,
      last_name: profile.lastName,
      name_key: nameKey(profile),
      phone: '',
      organisation: '',
      job_title: '',
      locale: profile.locale ?? null,
      time_zone: null,
      avatar: null,
      version: 1,
    })
    .execute();
}

/** Sets the names of a person, such as those that an invited one corrects on accepting. */
export async function setProfileNames(
  change: Change,
  personId: string,
  names: { firstName: string; lastName: string },
): Promise<void> {
  const { email } = await change.tx
    .selectFrom('person')
    .select('email')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  await change.tx
    .updateTable('profile')
    .set({
      first_name: names.firstName,
      last_name: names.lastName,
      name_key: nameKey({ ...names, email }),
      version: nextVersion,
    })
    .where('person_id', '=', personId)
    .execute();
  change.publish('person', personId);
}

/**
 * Replaces the fields of a profile that its person may change, and makes what others have read of it stale.
 */
export async function writeProfile(
  change: Change,
  before: Pick<Profile, 'id' | 'email'>,
  wanted: Omit<Profile, 'id' | 'email' | 'createdAt' | 'version'>,
): Promise<void> {
  await change.tx
    .updateTable('profile')
    .set({
      first_name: wanted.firstName,
      last_name: wanted.lastName,
      name_key: nameKey({ ...wanted, email: before.email }),
      phone: wanted.phone,
      organisation: wanted.organisation,
      job_title: wanted.jobTitle,
      locale: wanted.locale,
      time_zone: wanted.timeZone,
      avatar: wanted.avatar,
      version: nextVersion,
    })
    .where('person_id', '=', before.id)
    .execute();
  change.publish('person', before.id);
}

/** The profile of a person, or null where there is no such person. */
export async function profileOf(read: Reader, personId: string): Promise<Profile | null> {
  const row = await read
    .selectFrom('profile')
    .innerJoin('person', 'person.id', 'profile.person_id')
    .selectAll('profile')
    .select(['person.email', 'person.created_at'])
    .where('profile.person_id', '=', personId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.person_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    organisation: row.organisation,
    jobTitle: row.job_title,
    locale: row.locale,
    timeZone: row.time_zone === null ? null : presentTimeZone(row.time_zone),
    avatar: row.avatar,
    createdAt: row.created_at,
    version: row.version,
  };
}

// Bounded, so that a place in the list of people fits into its cursor.
function nameKey({
  firstName,
  lastName,
  email,
}: {
  firstName: string;
  lastName: string;
  email: string;
}): string {
  const name = searchText(`${firstName} ${lastName}`);
  return (name === '' ? searchText(email) : name).slice(0, 200).toWellFormed();
}
