import type { PersonState } from '@portico/contract/people';
import { sql } from 'kysely';
import type { Change, Reader, Writer } from '../../platform/database.ts';
import { emailSkeleton } from '../../platform/email-skeleton.ts';
import { newId } from '../../platform/ids.ts';

/** `person.issuer` of those who are to be found by their address at their first sign-in at another provider. */
export const invitedIssuer = 'invited';

export type NewPerson = { issuer: string; subject: string; email: string };

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
      version: 1,
    })
    .execute();
  change.tell('person', id);
  return id;
}

/** Takes over the address that a provider gives a person now. */
export async function writeEmail(change: Change, personId: string, email: string): Promise<void> {
  await change.tx
    .updateTable('person')
    .set((row) => ({
      email,
      email_skeleton: emailSkeleton(email),
      version: row('version', '+', 1),
    }))
    .where('id', '=', personId)
    .execute();
  change.tell('person', personId);
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

/** The people with this address; a foreign provider may give one to several. */
export function peopleByEmail(
  read: Reader,
  email: string,
): Promise<{ id: string; issuer: string; subject: string }[]> {
  return read.selectFrom('person').select(['id', 'issuer', 'subject']).where('email', '=', email).execute();
}

/** Records that a person was here; an earlier time than the recorded one changes nothing. */
export async function touchSeen(tx: Writer, personId: string, at: number): Promise<void> {
  await tx
    .updateTable('person')
    .set({ last_seen_at: at })
    .where('id', '=', personId)
    .where((row) => row.or([row('last_seen_at', 'is', null), row('last_seen_at', '<', at)]))
    .execute();
}

/** Sets or removes the block; `at` is the change's time, or null to let in again. */
export async function writeBlocked(change: Change, personId: string, at: number | null): Promise<void> {
  await change.tx
    .updateTable('person')
    .set((row) => ({ blocked_at: at, version: row('version', '+', 1) }))
    .where('id', '=', personId)
    .execute();
  change.tell('person', personId);
  change.tell('rights', personId);
}

/** Makes what others have read of a person stale. */
export async function bumpVersion(change: Change, personId: string): Promise<void> {
  await change.tx
    .updateTable('person')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', personId)
    .execute();
}

/** Whether anybody, also blocked or only invited, holds one of these roles. */
export async function anyHolder(read: Reader, roles: readonly string[]): Promise<boolean> {
  const holder = await read
    .selectFrom('person_role')
    .select('role')
    .where('role', 'in', roles)
    .limit(1)
    .executeTakeFirst();
  return holder !== undefined;
}

/** What decides whether somebody may come in, or null where there is no such person. */
export async function standingOf(
  read: Reader,
  personId: string,
): Promise<{ state: PersonState; email: string } | null> {
  const row = await withAccount(read)
    .select(['person.email', state.as('state')])
    .where('person.id', '=', personId)
    .executeTakeFirst();
  return row ?? null;
}

/** Whose account it is, for what only the embedded provider knows, or null. */
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

// For queries over `withAccount`. Who has an account without a password has never been in: the link sets it.
export const state = sql<PersonState>`case
  when person.blocked_at is not null then 'blocked'
  when person.issuer = ${sql.lit(invitedIssuer)} then 'invited'
  when account.id is not null and account.password_hash is null and person.last_seen_at is null then 'invited'
  else 'active' end`;

/** People beside the account that the embedded provider has of them, if it does: nobody else's subject is like its random ids. */
export function withAccount(read: Reader) {
  return read.selectFrom('person').leftJoin('account', 'account.id', 'person.subject');
}
