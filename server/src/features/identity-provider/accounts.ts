import type { Clock } from '../../platform/time/clock.ts';
import type { Change, Database, Reader } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { invalid, orNotFound, taken } from '../../platform/http/refusals.ts';
import { hashSecret, newId, newSecret } from '../../platform/keys/ids.ts';
import {
  accountByEmail,
  accountById,
  accountLink,
  deleteLink,
  deleteLinksOf,
  clearAttempts,
  insertAccount,
  insertLink,
  replacePasswordHash,
  storePasswordHash,
  countAttempt,
  type Account,
} from './accounts.store.ts';
import { waitAfterRequest } from './attempt-wait.ts';
import { deleteRecordsOf } from './oidc-record.store.ts';
import { hashPassword, isOutdated, verifyPassword, type HashParameters } from './password-hash.ts';
import { isCommonPassword, type PasswordOwner } from './password-rules.ts';

/**
 * `person.issuer` of all people who sign in at the embedded provider: a changed address changes no identity
 * (SES-3).
 */
export const embeddedIssuer = 'embedded';

const linkLifetimeMs = 7 * 24 * 3_600_000;

/** A link that sets a password once; the token stands in the fragment and is stored as a hash. */
export type PasswordLink = { accountId: string; link: string; expiresAt: number };

/** A password that was found good and hashed. Made outside of transactions, since it takes a while. */
export type PreparedPassword = { readonly hash: string };

export type Accounts = {
  byId(read: Reader, accountId: string): Promise<Account | null>;
  byEmail(read: Reader, email: string): Promise<Account | null>;
  /**
   * A new account without a password, and the link that sets one. Throws CONFLICT where the address has an
   * account.
   */
  invite(change: Change, account: { email: string }): Promise<PasswordLink>;
  /** A new account with a password. Throws CONFLICT where the address has an account. */
  create(change: Change, account: { email: string; password: PreparedPassword }): Promise<string>;
  /** A new link for an account; earlier ones stop working, the password stays until it is used. */
  renewLink(change: Change, accountId: string): Promise<PasswordLink>;
  /**
   * One more link for an account, beside those that it has; `revoke` takes it back. Not inside a transaction.
   */
  addLink(accountId: string, lifetimeMs: number): Promise<PasswordLink & { revoke(): Promise<void> }>;
  /** The account whose link this is, or null where it does not work (any more). */
  byLinkToken(read: Reader, token: string): Promise<Account | null>;
  /** Throws INVALID_BODY, pointing at `field`, when the password is a common one. */
  prepare(password: string, owner: PasswordOwner, field?: string): Promise<PreparedPassword>;
  /**
   * Sets the password, and with it ends the account's links, its waiting time, and what the provider
   * remembers of it.
   */
  setPassword(change: Change, accountId: string, password: PreparedPassword): Promise<void>;
  /**
   * Counts a request for a new password for an address, known or not: one at once, the next after a minute,
   * then longer and longer. Throws TOO_MANY_REQUESTS.
   */
  countRequest(email: string): Promise<void>;
  /**
   * The id of the account whose email and password these are, or null. Neither the answer nor its time
   * reveals which of the two is wrong. Throws TOO_MANY_REQUESTS while guesses at this address have to wait
   * (SES-3).
   */
  check(email: string, password: string): Promise<string | null>;
};

/**
 * Who may sign in with a password at the embedded provider.
 *
 * @param hashing the cost of a stored password; tests of other things have a lower one
 */
export function createAccounts({
  database,
  clock,
  publicUrl,
  hashing,
}: {
  database: Database;
  clock: Clock;
  publicUrl: string;
  hashing?: HashParameters | undefined;
}): Accounts {
  async function insert(change: Change, account: Account): Promise<void> {
    if ((await accountByEmail(change.tx, account.email)) !== null) {
      throw taken('/email', 'There is an account with this email address.', 'has an account');
    }
    await insertAccount(change, account);
  }

  async function existing(read: Reader, accountId: string): Promise<Account> {
    return orNotFound(await accountById(read, accountId), 'There is no such account.');
  }

  async function newLink(
    change: Change,
    account: Account,
    lifetimeMs = linkLifetimeMs,
  ): Promise<PasswordLink & { tokenHash: string }> {
    const token = newSecret();
    const tokenHash = hashSecret(token);
    const expiresAt = change.at + lifetimeMs;
    const purpose = account.passwordHash === null ? 'invitation' : 'reset';
    await insertLink(change, { tokenHash, purpose, accountId: account.id, expiresAt });
    return { accountId: account.id, link: `${publicUrl}/invitation#${token}`, expiresAt, tokenHash };
  }

  /** The hash stays here: only a link that can be taken back needs it. */
  async function shownLink(change: Change, account: Account): Promise<PasswordLink> {
    const { tokenHash: _hash, ...link } = await newLink(change, account);
    return link;
  }

  return {
    byId: accountById,
    byEmail: accountByEmail,
    async invite(change, { email }) {
      const account = { id: newId(), email, passwordHash: null };
      await insert(change, account);
      return shownLink(change, account);
    },
    async create(change, { email, password }) {
      const id = newId();
      await insert(change, { id, email, passwordHash: password.hash });
      return id;
    },
    async renewLink(change, accountId) {
      const account = await existing(change.tx, accountId);
      await deleteLinksOf(change.tx, accountId);
      return shownLink(change, account);
    },
    async addLink(accountId, lifetimeMs) {
      const { tokenHash, ...link } = await database.change(async (change) => {
        const account = await existing(change.tx, accountId);
        return newLink(change, account, lifetimeMs);
      });
      return { ...link, revoke: () => database.transaction((tx) => deleteLink(tx, tokenHash)) };
    },
    async byLinkToken(read, token) {
      const link = await accountLink(read, hashSecret(token), clock.now());
      return link?.accountId == null ? null : accountById(read, link.accountId);
    },
    async prepare(password, owner, field = '/password') {
      if (isCommonPassword(password, owner))
        throw invalid(field, 'common', 'is a common password, or made of what others know');
      return { hash: await hashPassword(password, hashing) };
    },
    async setPassword(change, accountId, password) {
      const account = await existing(change.tx, accountId);
      await storePasswordHash(change.tx, accountId, password.hash);
      await deleteLinksOf(change.tx, accountId);
      await clearAttempts(change.tx, hashSecret(account.email));
      await deleteRecordsOf(change.tx, accountId);
    },
    async countRequest(email) {
      const now = clock.now();
      const { refusedUntil } = await database.transaction((tx) =>
        countAttempt(tx, hashSecret(`forgotten ${email}`), now, waitAfterRequest),
      );
      if (refusedUntil !== null)
        throw new HttpProblem('TOO_MANY_REQUESTS', { retryAfter: Math.ceil((refusedUntil - now) / 1000) });
    },
    async check(email, password) {
      const now = clock.now();
      // An address without an account is treated the same, so that the answer does not reveal which addresses
      // have one.
      const emailHash = hashSecret(email);
      const { refusedUntil } = await database.transaction((tx) => countAttempt(tx, emailHash, now));
      if (refusedUntil !== null) {
        throw new HttpProblem('TOO_MANY_REQUESTS', { retryAfter: Math.ceil((refusedUntil - now) / 1000) });
      }
      const account = await accountByEmail(database.read, email);
      const passwordHash = account?.passwordHash ?? null;
      const right = await verifyPassword(password, passwordHash, hashing);
      if (!right || account === null || passwordHash === null) return null;
      const renewed = isOutdated(passwordHash, hashing) ? await hashPassword(password, hashing) : null;
      await database.transaction(async (tx) => {
        await clearAttempts(tx, emailHash);
        if (renewed !== null) await replacePasswordHash(tx, account.id, passwordHash, renewed);
      });
      return account.id;
    },
  };
}
