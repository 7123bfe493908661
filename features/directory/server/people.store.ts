import type { PersonState } from '#features/people/contract/people.ts';
import { sql, type Generated } from 'kysely';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { emailSkeleton } from '#server/platform/database/email-skeleton.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { fullName } from './people-names.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    person: {
      id: string;
      issuer: string;
      subject: string;
      email: string;
      /** The skeleton of the address, by which look-alikes are found; written with the address. */
      email_skeleton: string | null;
      created_at: number;
      last_seen_at: number | null;
      blocked_at: number | null;
      /** 1 where the provider vouches for the address; written with the address. */
      email_verified: Generated<number>;
      version: number;
    };
  }
}

/**
 * `person.issuer` of those who are to be found by their address at their first sign-in at another provider.
 */
export const invitedIssuer = 'invited';

export type NewPerson = {
  issuer: string;
  subject: string;
  email: string;
  /** Whether the provider vouches for the address. */
  emailVerified: boolean;
};

/** Adds a person, who holds no role yet; their profile is added in the same transaction. */
export async function insertPerson(change: Change, person: NewPerson): Promise<string> {
  const id = newId();
  await change.tx
    .insertInto('person')
    .values({
      id,
      issuer: person.issuer,
      subject: person.subject,
      email: person.email,
      email_skeleton: emailSkeleton(person.email),
      created_at: change.at,
      last_seen_at: null,
      blocked_at: null,
      email_verified: person.emailVerified ? 1 : 0,
      version: 1,
    })
    .execute();
  change.publish('person', id);
  return id;
}

/** Takes over the address that a provider gives a person now, and whether it vouches for it. */
export async function writeEmail(
  change: Change,
  personId: string,
  { email, emailVerified }: Pick<NewPerson, 'email' | 'emailVerified'>,
): Promise<void> {
  await change.tx
    .updateTable('person')
    .set({
      email,
      email_verified: emailVerified ? 1 : 0,
      email_skeleton: emailSkeleton(email),
      version: nextVersion,
    })
    .where('id', '=', personId)
    .execute();
  change.publish('person', personId);
}

/** The person behind an identity of a provider (SES-8), or null. */
export async function personByIdentity(
  read: Reader,
  issuer: string,
  subject: string,
): Promise<string | null> {
  const row = await read
    .selectFrom('person')
    .select('id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** What distinguishes people with the same address. */
export type Namesake = {
  id: string;
  issuer: string;
  subject: string;
  name: string;
  email: string;
  emailVerified: boolean;
  lastSeenAt: number | null;
};

/**
 * The people with this address, which another provider may give to several; the last seen first.
 */
export async function peopleByEmail(read: Reader, email: string): Promise<Namesake[]> {
  const rows = await namesakes(read).where('person.email', '=', email).execute();
  return rows.map(namesakeOf).toSorted((one, other) => (other.lastSeenAt ?? 0) - (one.lastSeenAt ?? 0));
}

/** The person with an id; null where there is none, or where the person was erased. */
export async function personById(read: Reader, id: string): Promise<Namesake | null> {
  const row = await namesakes(read).where('person.id', '=', id).executeTakeFirst();
  return row === undefined ? null : namesakeOf(row);
}

function namesakes(read: Reader) {
  return read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select([
      'person.id',
      'person.issuer',
      'person.subject',
      'person.email',
      'person.email_verified',
      'person.last_seen_at',
      'profile.first_name',
      'profile.last_name',
    ]);
}

type NamesakeRow = Awaited<ReturnType<ReturnType<typeof namesakes>['executeTakeFirstOrThrow']>>;

function namesakeOf({ email_verified, last_seen_at, first_name, last_name, ...row }: NamesakeRow): Namesake {
  return {
    ...row,
    name: fullName({ first_name, last_name }),
    emailVerified: email_verified === 1,
    lastSeenAt: last_seen_at,
  };
}

/** Records when a person was last seen; an earlier time than the recorded one changes nothing. */
export async function touchSeen(tx: Writer, personId: string, at: number): Promise<void> {
  await tx
    .updateTable('person')
    .set({ last_seen_at: at })
    .where('id', '=', personId)
    .where((row) => row.or([row('last_seen_at', 'is', null), row('last_seen_at', '<', at)]))
    .execute();
}

/** Sets or removes the block; `at` is the change's time, or null to remove it. */
export async function writeBlocked(change: Change, personId: string, at: number | null): Promise<void> {
  await change.tx
    .updateTable('person')
    .set({ blocked_at: at, version: nextVersion })
    .where('id', '=', personId)
    .execute();
  change.publish('person', personId);
  change.publish('rights', personId);
}

/** Raises the version of a person, so that what others have read of them is stale. */
export async function bumpVersion(change: Change, personId: string): Promise<void> {
  await change.tx.updateTable('person').set({ version: nextVersion }).where('id', '=', personId).execute();
}

/** What decides whether a person may sign in, and their name; null where there is no such person. */
export async function accountStateOf(
  read: Reader,
  personId: string,
): Promise<{ state: PersonState; email: string; name: string } | null> {
  const row = await withAccount(read)
    .leftJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.email', state.as('state'), 'profile.first_name', 'profile.last_name'])
    .where('person.id', '=', personId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { first_name, last_name, ...accountState } = row;
  return { ...accountState, name: fullName({ first_name: first_name ?? '', last_name: last_name ?? '' }) };
}

/** The provider (`issuer`) of a person and their id there (`subject`), or null where there is no such person. */
export async function identityOf(
  read: Reader,
  personId: string,
): Promise<{ issuer: string; subject: string } | null> {
  const row = await read
    .selectFrom('person')
    .select(['issuer', 'subject'])
    .where('id', '=', personId)
    .executeTakeFirst();
  return row ?? null;
}

// For queries over `withAccount`. A person whose account has no password has never signed in: the link sets one.
export const state = sql<PersonState>`case
  when person.blocked_at is not null then 'blocked'
  when person.issuer = ${sql.lit(invitedIssuer)} then 'invited'
  when account.id is not null and account.password_hash is null and person.last_seen_at is null then 'invited'
  else 'active' end`;

/** People with their account at the embedded provider; no other provider has its random ids. */
export function withAccount(read: Reader) {
  return read.selectFrom('person').leftJoin('account', 'account.id', 'person.subject');
}
