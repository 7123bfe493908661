import { sql } from 'kysely';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { attemptMemoryMs, type Total } from './attempt-wait.ts';
import { removeSome } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The accounts that may sign in with a password. */
    account: {
      id: string;
      email: string;
      password_hash: string | null;
      created_at: number;
      /** The handle by which authenticators know the account: random, so that it names no one. */
      passkey_handle: string | null;
      /** When the account's factors last changed; 0: never. */
      factors_at: number;
    };
    /**
     * Guesses at passwords, also for accounts that do not exist. The key begins with the hash of the typed email
     * address, followed by the hash of where the guess comes from.
     */
    sign_in_guess: {
      email_hash: string;
      guesses: number;
      last_at: number;
      /** No guess is accepted before this time. */
      next_try_at: number;
    };
    one_time_link: {
      token_hash: string;
      purpose: string;
      account_id: string | null;
      /** The address that the link registers. */
      email: string | null;
      /** For `not-me`: the time of what the link denies. */
      created_at: number;
      expires_at: number;
    };
  }
}

// The only SQL that writes account, one_time_link and sign_in_guess.

export type Account = {
  id: string;
  email: string;
  passwordHash: string | null;
  createdAt: number;
  /** When the account's factors last changed: what a browser remembers of earlier ones is not valid any more. */
  factorsAt: number;
};

/**
 * `set-up` creates the first operator; `invitation` sets a first password; `reset` sets another one. `not-me` sets
 * another one too, for a person who denies what a mail reported; a new password does not end this link.
 */
export type LinkPurpose = 'set-up' | 'invitation' | 'reset' | 'not-me' | 'registration';
export type OneTimeLink = {
  tokenHash: string;
  purpose: LinkPurpose;
  accountId: string | null;
  createdAt: number;
  /** The address of a registration, which has no account yet. */
  email?: string;
  expiresAt: number;
};

/** Stored in place of a hash: the person has removed the password, and signs in with a passkey. */
export const passwordRemoved = '';

export async function insertAccount(
  change: Change,
  account: Pick<Account, 'id' | 'email' | 'passwordHash'>,
): Promise<void> {
  const { id, email, passwordHash } = account;
  await change.tx
    .insertInto('account')
    .values({ id, email, password_hash: passwordHash, created_at: change.at, factors_at: 0 })
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
    .select(['id', 'email', 'password_hash', 'created_at', 'factors_at'])
    .where(column, '=', value)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    createdAt: row.created_at,
    factorsAt: row.factors_at,
  };
}

export async function storePasswordHash(tx: Writer, accountId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', accountId).execute();
}

/** Replaces a hash by one with today's parameters; a password that was set in between stays. */
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

/** `createdAt` left out: now. */
export type NewLink = Omit<OneTimeLink, 'createdAt'> & { createdAt?: number };

export async function insertLink(change: Change, link: NewLink): Promise<void> {
  await change.tx
    .insertInto('one_time_link')
    .values({
      token_hash: link.tokenHash,
      purpose: link.purpose,
      account_id: link.accountId,
      email: link.email ?? null,
      created_at: link.createdAt ?? change.at,
      expires_at: link.expiresAt,
    })
    .execute();
}

/** The links of a purpose that still work. */
export async function liveLinks(read: Reader, purpose: LinkPurpose, now: number): Promise<OneTimeLink[]> {
  const rows = await read
    .selectFrom('one_time_link')
    .select(['token_hash', 'purpose', 'account_id', 'created_at', 'expires_at'])
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .execute();
  return rows.map(linkOf);
}

/** The link of an account behind a token, while it works. */
export async function accountLink(read: Reader, tokenHash: string, now: number): Promise<OneTimeLink | null> {
  const row = await read
    .selectFrom('one_time_link')
    .select(['token_hash', 'purpose', 'account_id', 'created_at', 'expires_at'])
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
  created_at: number;
  expires_at: number;
}): OneTimeLink {
  return {
    tokenHash: row.token_hash,
    purpose: row.purpose as LinkPurpose,
    accountId: row.account_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** The address that a link registers, while the link works. */
export async function addressOfLink(read: Reader, tokenHash: string, now: number): Promise<string | null> {
  const row = await read
    .selectFrom('one_time_link')
    .select('email')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.email ?? null;
}

/** Ends the links that register an address. */
export async function deleteRegistrationsOf(tx: Writer, email: string): Promise<void> {
  await tx.deleteFrom('one_time_link').where('email', '=', email).execute();
}

/** Ends the links that register addresses of a domain. */
export async function deleteRegistrationsAt(tx: Writer, domain: string): Promise<void> {
  await tx.deleteFrom('one_time_link').where('email', 'like', `%@${domain}`).execute();
}

export async function deleteLinksOf(
  tx: Writer,
  accountId: string,
  purposes: readonly LinkPurpose[] = ['invitation', 'reset'],
): Promise<void> {
  await tx
    .deleteFrom('one_time_link')
    .where('account_id', '=', accountId)
    .where('purpose', 'in', purposes)
    .execute();
}

export async function deleteLink(tx: Writer, tokenHash: string): Promise<void> {
  await tx.deleteFrom('one_time_link').where('token_hash', '=', tokenHash).execute();
}

/** Ends every link that has not been used; answers how many. */
export async function deleteAllLinks(tx: Writer): Promise<number> {
  return (await tx.deleteFrom('one_time_link').returning('token_hash').execute()).length;
}

export async function deleteSetUpLinks(tx: Writer): Promise<void> {
  await tx.deleteFrom('one_time_link').where('purpose', '=', 'set-up').execute();
}

/**
 * Counts an attempt under a key before the password is checked. The row's lock puts attempts that arrive together
 * in order.
 *
 * @returns when the next attempt is accepted, if this one is refused; else how many there were in a row
 */
export async function countAttempt(
  tx: Writer,
  key: string,
  now: number,
  wait: (attempts: number) => number,
): Promise<{ refusedUntil: number } | { refusedUntil: null; attempts: number }> {
  const forgotten = now - attemptMemoryMs;
  const taken = await tx
    .insertInto('sign_in_guess')
    .values({ email_hash: key, guesses: 1, last_at: now, next_try_at: 0 })
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
  if (taken === undefined) return { refusedUntil: (await nextTryAt(tx, key)) ?? now + 1000 };
  const pause = wait(taken.guesses);
  await tx
    .updateTable('sign_in_guess')
    // Without a wait 0 is stored, since the clock of another replica may be behind this one.
    .set({ next_try_at: pause === 0 ? 0 : now + pause })
    .where('email_hash', '=', key)
    .execute();
  return { refusedUntil: null, attempts: taken.guesses };
}

/**
 * Counts an attempt into a total, which can be used up and refills over time. `next_try_at` is when the total is
 * full again.
 *
 * @returns when the next attempt is accepted, if this one is refused; else null
 */
export async function countIntoTotal(
  tx: Writer,
  key: string,
  now: number,
  { burst, everyMs }: Total,
): Promise<number | null> {
  const room = (burst - 1) * everyMs;
  const taken = await tx
    .insertInto('sign_in_guess')
    .values({ email_hash: key, guesses: 1, last_at: now, next_try_at: now + everyMs })
    .onConflict((conflict) =>
      conflict
        .column('email_hash')
        .doUpdateSet({
          last_at: now,
          next_try_at: sql<number>`case when sign_in_guess.next_try_at > ${sql.lit(now)} then sign_in_guess.next_try_at else ${sql.lit(now)} end + ${sql.lit(everyMs)}`,
        })
        .where('sign_in_guess.next_try_at', '<=', now + room),
    )
    .returning('email_hash')
    .executeTakeFirst();
  return taken === undefined ? ((await nextTryAt(tx, key)) ?? now + 1000 + room) - room : null;
}

async function nextTryAt(tx: Writer, key: string): Promise<number | null> {
  const row = await tx
    .selectFrom('sign_in_guess')
    .select('next_try_at')
    .where('email_hash', '=', key)
    .executeTakeFirst();
  return row?.next_try_at ?? null;
}

/** Takes an attempt out of a total again, since its password or code was right. */
export async function leaveTotal(tx: Writer, key: string, now: number, { everyMs }: Total): Promise<void> {
  await tx
    .updateTable('sign_in_guess')
    .set((row) => ({ next_try_at: row('next_try_at', '-', everyMs) }))
    .where('email_hash', '=', key)
    .execute();
  await tx
    .deleteFrom('sign_in_guess')
    .where('email_hash', '=', key)
    .where('next_try_at', '<=', now)
    .execute();
}

/** Forgets what was counted under these keys. */
export async function clearCounts(tx: Writer, keys: readonly string[]): Promise<void> {
  await tx.deleteFrom('sign_in_guess').where('email_hash', 'in', keys).execute();
}

/** Forgets all attempts at an email address. */
export async function clearAttempts(tx: Writer, emailHash: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_guess')
    .where(sql`substr(email_hash, 1, ${sql.lit(emailHash.length)})`, '=', emailHash)
    .execute();
}

/**
 * The most rows of guesses, some 30 MB: strangers can guess at addresses without an account. Where there are more,
 * those with the oldest last guess are removed.
 */
const mostGuesses = 200_000;

/** Removes up to `most` expired links, and as many guesses that are old or too many; answers how many rows. */
export async function sweepAccounts(
  tx: Writer,
  now: number,
  most: number,
  guessesAtMost = mostGuesses,
): Promise<number> {
  const links = await removeSome(tx, 'one_time_link', 'token_hash', most, (rows) =>
    rows.where('expires_at', '<=', now),
  );
  const beyond = await tx
    .selectFrom('sign_in_guess')
    .select('last_at')
    .orderBy('last_at', 'desc')
    .offset(guessesAtMost)
    .limit(1)
    .executeTakeFirst();
  const oldest = Math.max(now - attemptMemoryMs, beyond === undefined ? 0 : beyond.last_at + 1);
  const guesses = await removeSome(tx, 'sign_in_guess', 'email_hash', most, (rows) =>
    rows.where('last_at', '<', oldest),
  );
  return links + guesses;
}
