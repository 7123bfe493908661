import type { Reader, Writer } from '../../platform/database/database.ts';
import { newId } from '../../platform/keys/ids.ts';
import type { MailFailure } from './transport.ts';

// The only SQL that writes mail.

export type MailKind = 'invitation' | 'reset' | 'forgotten';
export type MailLanguage = 'en' | 'de' | 'fr';

/**
 * What waits to be sent. It holds no token: that is made when it is sent, so that none stands in the
 * database.
 */
export type MailJob = {
  id: string;
  kind: MailKind;
  accountId: string | null;
  /** What was typed as the address of an account, where that is still to be looked up. */
  email: string | null;
  language: MailLanguage;
  createdAt: number;
  tries: number;
};

export type NewMail = Pick<MailJob, 'kind' | 'accountId' | 'email' | 'language'>;

/**
 * Adds a mail, in the transaction of the change that it reports. An earlier one that waits for the same
 * account is not sent any more.
 */
export async function insertMail(tx: Writer, mail: NewMail, at: number): Promise<string> {
  if (mail.accountId !== null) await deleteMailOf(tx, mail.accountId);
  const id = newId();
  await tx
    .insertInto('mail')
    .values({
      id,
      kind: mail.kind,
      account_id: mail.accountId,
      email: mail.email,
      language: mail.language,
      created_at: at,
      tries: 0,
      // At once, also by the clock of another process that sends it.
      next_try_at: 0,
      claimed_until: null,
      failure: null,
    })
    .execute();
  return id;
}

/** Nothing more is sent to the holder of an account. */
export async function deleteMailOf(tx: Writer, accountId: string): Promise<void> {
  await tx.deleteFrom('mail').where('account_id', '=', accountId).execute();
}

/** Sends nothing that waits; answers how many. */
export async function deleteAllMail(tx: Writer): Promise<number> {
  return (await tx.deleteFrom('mail').returning('id').execute()).length;
}

/** When the next one is due, or null. */
export async function nextMailAt(read: Reader): Promise<number | null> {
  const row = await read
    .selectFrom('mail')
    .select((select) => select.fn.min('next_try_at').as('at'))
    .where('next_try_at', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? null;
}

const claimMs = 90_000;

/** Claims up to `most` that are due; until the claim runs out no other process does. */
export async function claimMail(
  tx: Writer,
  engine: 'sqlite' | 'postgres',
  now: number,
  most: number,
): Promise<MailJob[]> {
  let due = tx
    .selectFrom('mail')
    .select('id')
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(most);
  if (engine === 'postgres') due = due.forUpdate().skipLocked();
  const ids = (await due.execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await tx
    .updateTable('mail')
    // It is due again when the claim is over.
    .set({ claimed_until: now + claimMs, next_try_at: now + claimMs })
    .where('id', 'in', ids)
    .returningAll()
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as MailKind,
    accountId: row.account_id,
    email: row.email,
    language: row.language as MailLanguage,
    createdAt: row.created_at,
    tries: row.tries,
  }));
}

/** It was sent, or there is nothing to send: its row goes. */
export async function deleteMail(tx: Writer, id: string): Promise<void> {
  await tx.deleteFrom('mail').where('id', '=', id).execute();
}

/** Notes a try that failed, and when the next one is; null: it was the last. */
export async function noteMailFailure(
  tx: Writer,
  id: string,
  failure: MailFailure,
  nextTryAt: number | null,
): Promise<void> {
  await tx
    .updateTable('mail')
    .set((row) => ({ failure, next_try_at: nextTryAt, claimed_until: null, tries: row('tries', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Ends the claims of a process that was killed; only where there is no other process. */
export async function dropMailClaims(tx: Writer, now: number): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ claimed_until: null, next_try_at: now })
    .where('claimed_until', 'is not', null)
    .execute();
}

/** What became of one: it is gone once it was sent. */
export async function mailState(read: Reader, id: string): Promise<'sent' | 'new' | 'waiting' | 'failed'> {
  const row = await read
    .selectFrom('mail')
    .select(['tries', 'next_try_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return 'sent';
  return row.next_try_at === null ? 'failed' : row.tries > 0 ? 'waiting' : 'new';
}

/** Removes up to `most` that were given up a week ago; answers how many went. */
export async function sweepMail(tx: Writer, now: number, most: number): Promise<number> {
  const gone = await tx
    .deleteFrom('mail')
    .where('id', 'in', (query) =>
      query
        .selectFrom('mail')
        .select('id')
        .where('next_try_at', 'is', null)
        .where('created_at', '<', now - 7 * 86_400_000)
        .limit(most),
    )
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
