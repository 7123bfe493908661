import { sql } from 'kysely';
import type { Change, Reader, Writer } from '../../platform/database/database.ts';
import { attemptMemoryMs, waitAfter } from './attempt-wait.ts';

// The only SQL that writes account, one_time_link and sign_in_guess.

export type Account = { id: string; email: string; passwordHash: string | null };

/** `set-up` creates the first operator; `invitation` sets a first password; `reset` sets another one. */
export type LinkPurpose = 'set-up' | 'invitation' | 'reset';
export type OneTimeLink = {
  tokenHash: string;
  purpose: LinkPurpose;
  accountId: string | null;
  expiresAt: number;
};

export async function insertAccount(change: Change, account: Account): Promise<void> {
  const { id, email, passwordHash } = account;
  await change.tx
    .insertInto('account')
    .values({ id, email, password_hash: passwordHash, created_at: change.at })
    .execute();
}

export function accountById(read: Reader, id: string): Promise<Account | null> {
  return readAccount(read, 'id', id);
}

export function accountByEmail(read: Reader, email: string): Promise<Account | null> {
  return readAccount(read, 'email', email);
}

async function readAccount(read: Reader, column: 'id' | 'email', value: string): Promise<Account | null> {
  const row = await read
    .selectFrom('account')
    .select(['id', 'email', 'password_hash'])
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, email: row.email, passwordHash: row.password_hash };
}

export async function storePasswordHash(tx: Writer, accountId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', accountId).execute();
}

/**
 * Puts a hash made with today's parameters in the place of one with the same password; a password set
 * meanwhile stays.
 */
export async function replacePasswordHash(
  tx: Writer,
  accountId: string,
  outdated: string,
  renewed: string,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ password_hash: renewed })
    .where('id', '=', accountId)
    .where('password_hash', '=', outdated)
    .execute();
}

export async function insertLink(change: Change, link: OneTimeLink): Promise<void> {
  await change.tx
    .insertInto('one_time_link')
    .values({
      token_hash: link.tokenHash,
      purpose: link.purpose,
      account_id: link.accountId,
      created_at: change.at,
      expires_at: link.expiresAt,
    })
    .execute();
}

/** The links of a purpose that still work. */
export async function liveLinks(read: Reader, purpose: LinkPurpose, now: number): Promise<OneTimeLink[]> {
  const rows = await read
    .selectFrom('one_time_link')
    .select(['token_hash', 'purpose', 'account_id', 'expires_at'])
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .execute();
  return rows.map(linkOf);
}

/** The link of an account behind a token, while it works. */
export async function accountLink(read: Reader, tokenHash: string, now: number): Promise<OneTimeLink | null> {
  const row = await read
    .selectFrom('one_time_link')
    .select(['token_hash', 'purpose', 'account_id', 'expires_at'])
    .where('token_hash', '=', tokenHash)
    .where('account_id', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row === undefined ? null : linkOf(row);
}

function linkOf(row: {
  token_hash: string;
  purpose: string;
  account_id: string | null;
  expires_at: number;
}): OneTimeLink {
  return {
    tokenHash: row.token_hash,
    purpose: row.purpose as LinkPurpose,
    accountId: row.account_id,
    expiresAt: row.expires_at,
  };
}

export async function deleteLinksOf(tx: Writer, accountId: string): Promise<void> {
  await tx.deleteFrom('one_time_link').where('account_id', '=', accountId).execute();
}

export async function deleteLink(tx: Writer, tokenHash: string): Promise<void> {
  await tx.deleteFrom('one_time_link').where('token_hash', '=', tokenHash).execute();
}

/** Makes every link worthless that has not been used; answers how many. */
export async function deleteAllLinks(tx: Writer): Promise<number> {
  return (await tx.deleteFrom('one_time_link').returning('token_hash').execute()).length;
}

export async function deleteSetUpLinks(tx: Writer): Promise<void> {
  await tx.deleteFrom('one_time_link').where('purpose', '=', 'set-up').execute();
}

/**
 * Counts an attempt for an email address, known or not, before the password is checked. The row's lock puts
 * attempts that arrive together in order.
 *
 * @returns when the next attempt is accepted, if this one is refused
 */
export async function countAttempt(
  tx: Writer,
  emailHash: string,
  now: number,
  wait: (attempts: number) => number = waitAfter,
): Promise<{ refusedUntil: number | null }> {
  const forgotten = now - attemptMemoryMs;
  const taken = await tx
    .insertInto('sign_in_guess')
    .values({ email_hash: emailHash, guesses: 1, last_at: now, next_try_at: 0 })
    .onConflict((conflict) =>
      conflict
        .column('email_hash')
        .doUpdateSet({
          guesses: sql<number>`case when sign_in_guess.last_at < ${sql.lit(forgotten)} then 1 else sign_in_guess.guesses + 1 end`,
          last_at: now,
        })
        .where('sign_in_guess.next_try_at', '<=', now),
    )
    .returning('guesses')
    .executeTakeFirst();
  const own = tx.selectFrom('sign_in_guess').select('next_try_at').where('email_hash', '=', emailHash);
  if (taken === undefined) return { refusedUntil: (await own.executeTakeFirst())?.next_try_at ?? now + 1000 };
  const pause = wait(taken.guesses);
  await tx
    .updateTable('sign_in_guess')
    // Without a wait 0 is stored, since the clock of another replica may be behind this one.
    .set({ next_try_at: pause === 0 ? 0 : now + pause })
    .where('email_hash', '=', emailHash)
    .execute();
  return { refusedUntil: null };
}

export async function clearAttempts(tx: Writer, emailHash: string): Promise<void> {
  await tx.deleteFrom('sign_in_guess').where('email_hash', '=', emailHash).execute();
}

/** Removes up to `most` rows that mean nothing any more; answers how many went. */
export async function sweepAccounts(tx: Writer, now: number, most: number): Promise<number> {
  const links = await tx
    .deleteFrom('one_time_link')
    .where('token_hash', 'in', (query) =>
      query.selectFrom('one_time_link').select('token_hash').where('expires_at', '<=', now).limit(most),
    )
    .executeTakeFirst();
  const guesses = await tx
    .deleteFrom('sign_in_guess')
    .where('email_hash', 'in', (query) =>
      query
        .selectFrom('sign_in_guess')
        .select('email_hash')
        .where('last_at', '<', now - attemptMemoryMs)
        .limit(most),
    )
    .executeTakeFirst();
  return Number(links.numDeletedRows) + Number(guesses.numDeletedRows);
}
