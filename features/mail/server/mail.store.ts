import { sql } from 'kysely';
import type { Reader, Writer } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { MailFailure } from './transport.ts';
import { removeSome } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Mails that wait to be sent, without tokens: a token is made when its mail is sent. */
    mail: {
      id: string;
      kind: string;
      account_id: string | null;
      /**
       * The recipient; for a link, the address typed at "Forgot your password?": whether it has an account is
       * looked up when the mail is sent.
       */
      email: string | null;
      language: string;
      created_at: number;
      tries: number;
      /** Null: it is not tried any more. */
      next_try_at: number | null;
      /** Until then the process that claimed the mail tries it; afterwards another process may. */
      claimed_until: number | null;
      failure: string | null;
      /** What its composer needs to know, as that feature writes it. */
      about: string | null;
    };
    /** When an address was last due to get a mail of a kind that is collected. */
    mail_pause: { kind: string; email: string; last_at: number };
  }
}

// The only SQL that writes mail.

export type MailLanguage = 'en' | 'de' | 'fr';

/** A mail that waits to be sent. A token is made only when it is sent, so that none is in the database. */
export type MailJob = {
  id: string;
  /** The kind of mail, under which its composer is registered. */
  kind: string;
  /** The account of the embedded provider that a link is for; null for other mails. */
  accountId: string | null;
  /** The recipient; for a link, the address that was typed, whose account is still to be looked up. */
  email: string | null;
  /** The language of the mail for people who have not chosen one. */
  language: MailLanguage;
  /** What its composer needs to know: ids rather than texts, which it reads when the mail is sent. */
  about: string | null;
  /** The time of the change that the mail reports; for a collected mail, of the first change. */
  createdAt: number;
  tries: number;
};

export type NewMail = Pick<MailJob, 'kind' | 'language'> &
  Partial<Pick<MailJob, 'accountId' | 'email' | 'about'>>;

/**
 * Adds a mail, in the transaction of the change that it reports. An earlier one that waits for the same
 * account is not sent any more.
 *
 * @param dueAt when it is sent at the earliest, milliseconds
 */
export async function insertMail(
  tx: Writer,
  { kind, accountId = null, email = null, language, about = null }: NewMail,
  at: number,
  // 0: due at once, also by the clock of another process that sends the mail.
  dueAt: number = 0,
): Promise<string> {
  if (accountId !== null) await deleteMailOf(tx, accountId);
  const id = newId();
  await tx
    .insertInto('mail')
    .values({
      id,
      kind,
      account_id: accountId,
      email,
      language,
      about,
      created_at: at,
      tries: 0,
      next_try_at: dueAt,
      claimed_until: null,
      failure: null,
    })
    .execute();
  return id;
}

/**
 * Adds a mail that collects what happens: while one of its kind waits for an address no other is added, and the
 * next one is due `pauseMs` after the last.
 */
export async function insertCollectedMail(
  tx: Writer,
  engine: 'sqlite' | 'postgres',
  mail: NewMail & { email: string },
  { at, now, pauseMs }: { at: number; now: number; pauseMs: number },
): Promise<void> {
  const { kind, email } = mail;
  let waiting = tx
    .selectFrom('mail')
    .select('id')
    .where('kind', '=', kind)
    .where('email', '=', email)
    .where('next_try_at', 'is not', null)
    .where('claimed_until', 'is', null);
  // A process that claims it concurrently sees this change, or leaves the mail to the next run.
  if (engine === 'postgres') waiting = waiting.forUpdate();
  if ((await waiting.execute()).length > 0) return;
  const last = await tx
    .selectFrom('mail_pause')
    .select('last_at')
    .where('kind', '=', kind)
    .where('email', '=', email)
    .executeTakeFirst();
  const dueAt = Math.max(now, (last?.last_at ?? 0) + pauseMs);
  await tx
    .insertInto('mail_pause')
    .values({ kind, email, last_at: dueAt })
    .onConflict((conflict) => conflict.columns(['kind', 'email']).doUpdateSet({ last_at: dueAt }))
    .execute();
  await insertMail(tx, mail, at, dueAt === now ? 0 : dueAt);
}

/** Deletes all mails that wait for the holder of an account. */
export async function deleteMailOf(tx: Writer, accountId: string): Promise<void> {
  await tx.deleteFrom('mail').where('account_id', '=', accountId).execute();
}

/** Deletes all mails that wait; answers how many. */
export async function deleteAllMail(tx: Writer): Promise<number> {
  return (await tx.deleteFrom('mail').returning('id').execute()).length;
}

/** How many mails are still to be sent, and since when the oldest waits. */
export function waitingMail(read: Reader): Promise<{ count: number; since: number | null }> {
  return read
    .selectFrom('mail')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('since')])
    .where('next_try_at', 'is not', null)
    .executeTakeFirstOrThrow();
}

/** When the next mail is due, or null. */
export async function nextMailAt(read: Reader): Promise<number | null> {
  const row = await read
    .selectFrom('mail')
    .select((select) => select.fn.min('next_try_at').as('at'))
    .where('next_try_at', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? null;
}

const claimMs = 90_000;

/** Claims up to `most` mails that are due; no other process claims them until the claim expires. */
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
    kind: row.kind,
    accountId: row.account_id,
    email: row.email,
    language: row.language as MailLanguage,
    about: row.about,
    createdAt: row.created_at,
    tries: row.tries,
  }));
}

/** Deletes a mail that was sent, or for which there is nothing to send. */
export async function deleteMail(tx: Writer, id: string): Promise<void> {
  await tx.deleteFrom('mail').where('id', '=', id).execute();
}

/** Records a failed try, and when the next try is; null: it was the last. */
export async function noteMailFailure(
  tx: Writer,
  id: string,
  failure: MailFailure | 'not-composed',
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

/** The state of a mail; a mail that was sent has no row any more. */
export async function mailState(read: Reader, id: string): Promise<'sent' | 'new' | 'waiting' | 'failed'> {
  const row = await read
    .selectFrom('mail')
    .select(['tries', 'next_try_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return 'sent';
  return row.next_try_at === null ? 'failed' : row.tries > 0 ? 'waiting' : 'new';
}

const dayMs = 86_400_000;

/** Mails that the mail server did not accept at their last try, including those given up within the last day. */
export type FailingMail = {
  count: number;
  givenUp: number;
  since: number;
  kind: string;
  /** The account of the embedded provider that the mail is about; null where it is about none. */
  accountId: string | null;
};

/** Null if all mails were accepted or none was tried yet. `since`, `kind` and `accountId` are of the oldest mail. */
export async function failingMail(read: Reader, now: number): Promise<FailingMail | null> {
  const failing = read
    .selectFrom('mail')
    .where('failure', 'is not', null)
    .where(({ or, eb }) => or([eb('next_try_at', 'is not', null), eb('created_at', '>=', now - dayMs)]));
  const counted = await failing
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number>(sql`case when next_try_at is null then 1 else 0 end`).as('givenUp'),
    ])
    .executeTakeFirstOrThrow();
  const oldest = await failing
    .select(['created_at', 'kind', 'account_id'])
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return null;
  return {
    ...counted,
    since: oldest.created_at,
    kind: oldest.kind,
    accountId: oldest.account_id,
  };
}

/** Removes up to `most` mails that were given up a week ago; answers how many were removed. */
export async function sweepMail(tx: Writer, now: number, most: number): Promise<number> {
  await tx
    .deleteFrom('mail_pause')
    .where('last_at', '<', now - dayMs)
    .execute();
  return removeSome(tx, 'mail', 'id', most, (rows) =>
    rows.where('next_try_at', 'is', null).where('created_at', '<', now - 7 * dayMs),
  );
}
