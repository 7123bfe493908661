import { sql } from 'kysely';
import type { ErasedReports } from '#features/erasure/contract/erasure.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import type { Fates, Tables } from '#server/platform/database/schema.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { replaceWords } from '#features/audit/server/erase-texts.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** People who are being erased; the final sweep removes the row. */
    erasure: {
      person_id: string;
      pseudonym: string;
      /** JSON: every address under which they are found. */
      emails: string;
      full_name: string;
      /** As `retention.erased_reports` was when it began. */
      reports: string;
      begun_at: number;
      /** When all data had been processed once; null: not yet. */
      done_at: number | null;
    };
  }
}

/** A person who is being erased, stored until the final sweep. */
export type Erasure = {
  personId: string;
  pseudonym: string;
  /** Addresses that are this person's alone, in lower case too. */
  emails: string[];
  fullName: string;
  reports: ErasedReports;
  /** When all data had been processed once; null: not yet. */
  doneAt: number | null;
};

export type PersonToErase = {
  email: string;
  issuer: string;
  subject: string;
  firstName: string;
  lastName: string;
  avatar: string | null;
};

/** The person to erase; null if there is none, or their erasure is running already. */
export async function readPerson(read: Reader, personId: string): Promise<PersonToErase | null> {
  const row = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['email', 'issuer', 'subject', 'first_name', 'last_name', 'avatar'])
    .where('person.id', '=', personId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { first_name: firstName, last_name: lastName, ...rest } = row;
  return { ...rest, firstName, lastName };
}

/** Addresses that a person has had, as written and in lower case, without those of others. */
export async function addressesOf(read: Reader, personId: string, email: string): Promise<string[]> {
  const inAudit = await read
    .selectFrom('audit')
    .select('actor_name as name')
    .distinct()
    .where('actor_kind', '=', 'person')
    .where('actor_id', '=', personId)
    .execute();
  const inReports = await read
    .selectFrom('report_history')
    .select('actor_name as name')
    .distinct()
    .where('actor_id', '=', personId)
    .execute();
  // Databases lower-case non-ASCII letters differently, so the original spelling is searched too.
  const all = new Set(
    [email, ...[...inAudit, ...inReports].map(({ name }) => name)].flatMap((name) => [
      name,
      name.toLowerCase(),
    ]),
  );
  // Names of API tokens and of the command line are not addresses.
  const addresses = [...all].filter((address) => address.includes('@'));
  if (addresses.length === 0) return [];
  const shared = await read
    .selectFrom('person')
    .select('email')
    .where('id', '!=', personId)
    .where((row) =>
      row.or([row('email', 'in', addresses), row(row.fn<string>('lower', ['email']), 'in', addresses)]),
    )
    .execute();
  const others = new Set(shared.map((other) => other.email.toLowerCase()));
  return addresses.filter((address) => !others.has(address.toLowerCase()));
}

/** Empties the person's row except for its id, and blocks it, until the erasure is finished. */
export async function clearPerson(change: Change, personId: string): Promise<void> {
  await change.tx
    .updateTable('person')
    .set({
      issuer: 'erased',
      subject: personId,
      email: '',
      email_verified: 0,
      email_skeleton: null,
      last_seen_at: null,
      blocked_at: change.at,
      version: nextVersion,
    })
    .where('id', '=', personId)
    .execute();
  change.publish('person', personId);
  change.publish('rights', personId);
}

/** Deletes the person's own rows: profile, groups, API tokens. */
export async function removeBelongings(change: Change, personId: string): Promise<void> {
  // Stored answers to other callers may name the person, and cannot be searched: all are deleted.
  await change.tx.deleteFrom('creation').execute();
  await change.tx.deleteFrom('profile').where('person_id', '=', personId).execute();
  await change.tx.deleteFrom('notice_choice').where('person_id', '=', personId).execute();
  await change.tx.deleteFrom('person_relink').where('person_id', '=', personId).execute();
  await change.tx.deleteFrom('person_group').where('person_id', '=', personId).execute();
  const tokens = await change.tx
    .deleteFrom('api_token')
    .where('created_by', '=', personId)
    .returning('id')
    .execute();
  for (const { id } of tokens) change.publish('api-tokens', id);
}

/** Deletes the account at the embedded provider with its links, mails and sessions. */
export async function removeAccount({ tx }: Pick<Change, 'tx'>, accountId: string): Promise<void> {
  await tx.deleteFrom('one_time_link').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('mail').where('account_id', '=', accountId).execute();
  await tx
    .deleteFrom('oidc_record')
    .where((row) =>
      row.or([row('account_id', '=', accountId), row('payload', 'like', `%${likeTerm(accountId)}%`)]),
    )
    .execute();
  await tx.deleteFrom('account').where('id', '=', accountId).execute();
}

// Ids consist of letters, digits, `-` and `_`. `_` matches any character, so a record of another account may
// be deleted too; that person just signs in again.
function likeTerm(id: string): string {
  return id.replaceAll('%', '');
}

/** Removes mail to addresses, and links that register them. */
export async function removeMail(tx: Writer, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  await tx
    .deleteFrom('mail')
    .where((row) => row(row.fn<string>('lower', ['email']), 'in', emails))
    .execute();
  await tx.deleteFrom('mail_pause').where('email', 'in', emails).execute();
  await tx.deleteFrom('one_time_link').where('email', 'in', emails).execute();
}

export async function insertErasure(change: Change, erasure: Omit<Erasure, 'doneAt'>): Promise<void> {
  const { personId, pseudonym, emails, fullName, reports } = erasure;
  await change.tx.insertInto('erased_person').values({ person_id: personId, pseudonym }).execute();
  await change.tx
    .insertInto('erasure')
    .values({
      person_id: personId,
      pseudonym,
      emails: JSON.stringify(emails),
      full_name: fullName,
      reports,
      begun_at: change.at,
      done_at: null,
    })
    .execute();
}

/** Unfinished erasures. */
export async function readErasures(read: Reader): Promise<Erasure[]> {
  const rows = await read.selectFrom('erasure').selectAll().orderBy('begun_at').execute();
  return rows.map((row) => ({
    personId: row.person_id,
    pseudonym: row.pseudonym,
    emails: JSON.parse(row.emails) as string[],
    fullName: row.full_name,
    reports: row.reports as ErasedReports,
    doneAt: row.done_at,
  }));
}

/** Whether a person is being erased; true until the final sweep. */
export async function isBeingErased(read: Reader, personId: string): Promise<boolean> {
  const row = await read
    .selectFrom('erasure')
    .select('person_id')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function recordErasureDone(tx: Writer, personId: string, now: number): Promise<void> {
  await tx
    .updateTable('erasure')
    .set({ done_at: now })
    .where('person_id', '=', personId)
    .where('done_at', 'is', null)
    .execute();
}

/** Up to `most` files that a person uploaded. */
export async function filesOf(read: Reader, personId: string, most: number): Promise<string[]> {
  const rows = await read
    .selectFrom('file')
    .select('id')
    .where('owner', '=', personId)
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Leaves a file that others still show, without an owner. */
export async function unlinkFile(tx: Writer, fileId: string): Promise<void> {
  await tx.updateTable('file').set({ owner: null, filename: 'file' }).where('id', '=', fileId).execute();
}

/** Columns that contain the address of an author. */
export function namingColumns(fates: Fates): { table: keyof Tables; column: string }[] {
  return (Object.keys(fates) as (keyof Tables)[]).flatMap((table) =>
    (fates[table].name ?? []).map((column) => ({ table, column })),
  );
}

/** Replaces the person's address by the pseudonym in all columns that name an author. */
export async function replaceNames(
  { tx }: Pick<Change, 'tx'>,
  erasure: Erasure,
  columns: ReturnType<typeof namingColumns>,
): Promise<void> {
  const { personId, pseudonym, emails } = erasure;
  await tx
    .updateTable('report_history')
    .set({ actor_name: pseudonym, actor_id: null })
    .where('actor_id', '=', personId)
    .execute();
  if (emails.length === 0) return;
  for (const { table, column } of columns) {
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${pseudonym}
      where ${sql.ref(column)} in (${sql.join(emails)}) or lower(${sql.ref(column)}) in (${sql.join(emails)})`.execute(
      tx,
    );
  }
}

/**
 * Removes the person from messages in the log of webhooks, or from events of which people get a mail: from up to
 * `most` rows after an id. Answers the id of the last row, or null.
 */
export async function replaceInDeliveries(
  { tx }: Pick<Change, 'tx'>,
  { personId, emails, fullName, pseudonym }: Erasure,
  { table, after, most }: { table: 'webhook_delivery' | 'notice_event'; after: string; most: number },
): Promise<string | null> {
  const words = [...emails, ...emails.map(encodeURIComponent), fullName];
  const rows = await tx
    .selectFrom(table)
    .select(['id', 'event', 'body'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  for (const { id, event, body } of rows) {
    const replaced = event.startsWith('report.')
      ? (text: string) => replaceWords(text, words, pseudonym)
      : (text: string) => (emails.includes(text.toLowerCase()) ? pseudonym : text);
    const cleaned = JSON.stringify(
      JSON.parse(body, (_key, value: unknown) => {
        if (typeof value === 'string') return replaced(value);
        return isReportOf(value, personId)
          ? { ...value, reporterId: null, name: pseudonym, email: '' }
          : value;
      }),
    );
    if (cleaned !== body) await tx.updateTable(table).set({ body: cleaned }).where('id', '=', id).execute();
  }
  return rows.length < most ? null : (rows.at(-1)?.id ?? null);
}

function isReportOf(value: unknown, personId: string): value is object {
  return (
    typeof value === 'object' && value !== null && 'reporterId' in value && value.reporterId === personId
  );
}

/** Whether something has arrived since that still refers to the person. */
export async function hasBelongings(read: Reader, personId: string): Promise<boolean> {
  const found = await Promise.all([
    read.selectFrom('report').select('id').where('reporter_id', '=', personId).limit(1).execute(),
    read.selectFrom('file').select('id').where('owner', '=', personId).limit(1).execute(),
  ]);
  return found.some((rows) => rows.length > 0);
}

/** Removes the last row of a person, and the record of the erasure. */
export async function removePerson(change: Change, personId: string): Promise<void> {
  await change.tx.deleteFrom('erasure').where('person_id', '=', personId).execute();
  await change.tx.deleteFrom('person').where('id', '=', personId).execute();
  change.publish('person', personId);
}
