import type { Core } from '#server/core.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import { HttpProblem, invalid, orNotFound, taken } from '#server/platform/http/http-problem.ts';
import { networkOf } from '#server/platform/http/network.ts';
import { hashSecret, newId, newSecret } from '#server/platform/keys/ids.ts';
import { identityOf, personByIdentity } from '#features/directory/server/people.store.ts';
import { profileOf } from '#features/profile/server/profile.store.ts';
import * as store from './accounts.store.ts';
import * as waits from './attempt-wait.ts';
import type { Turn } from './hash-queue.ts';
import { deleteRecordsOf } from './oidc-record.store.ts';
import { hashPassword, isOutdated, verifyPassword, type HashParameters } from './password-hash.ts';
import { isCommonPassword, type PasswordOwner } from './password-rules.ts';

/** The person who signs in with an account. */
export type Holder = { personId: string; firstName: string; lastName: string };

/** `person.issuer` of the embedded provider: a changed address changes no identity (SES-3). */
export const embeddedIssuer = 'embedded';

const day = 24 * 3_600_000;
/** A link to an account that has a password should not lie in a mailbox for long; an invitation may. */
const linkLifetimeMs = { invitation: 7 * day, reset: day, 'not-me': 7 * day };

/** A link that works once; the token stands in the fragment and is stored as a hash. */
type Link = { link: string; expiresAt: number };

/** A link that sets a password. */
export type PasswordLink = Link & { accountId: string };

/** A link that can be revoked. */
type Revocable = { revoke(): Promise<void> };

/** An accepted password, hashed. Hashing takes a while, so it is done outside of transactions. */
export type PreparedPassword = { readonly hash: string };

/** Where an attempt comes from. */
type Attempt = {
  /** IP address. */
  address: string;
  /** Identifies a browser that signed in to the account before, or its session; null: a stranger. */
  knownTo(account: store.Account): string | null;
  /** Called after wrong attempts at an account, where its person should know of them. */
  onWrong?(account: store.Account, wrong: WrongAttempts): void;
};

/** `first`: the first of a series. `slowed`: so many that the next attempt has the longest wait. */
export type WrongAttempts = 'first' | 'slowed';

export type Accounts = {
  byId(read: Reader, accountId: string): Promise<store.Account | null>;
  byEmail(read: Reader, email: string): Promise<store.Account | null>;
  /** A new account, and the link that sets its password. Throws CONFLICT for a known address. */
  invite(change: Change, account: { email: string }): Promise<PasswordLink>;
  /** A new account with a password. Throws CONFLICT where the address has an account. */
  create(change: Change, account: { email: string; password: PreparedPassword }): Promise<string>;
  /** A new link for an account; earlier ones stop working, the password stays until it is used. */
  renewLink(change: Change, accountId: string): Promise<PasswordLink>;
  /**
   * One more link for an account, in addition to those that it has; `revoke` ends it. Not inside a transaction.
   *
   * @param lifetimeMs left out: a day of a link to set a new password, a week of others
   * @param denies the time of what the link denies (`not-me`)
   */
  addLink(
    accountId: string,
    options: { lifetimeMs?: number; denies?: number },
  ): Promise<PasswordLink & Revocable>;
  /** A link that registers an address, which has no account. Not inside a transaction. */
  addRegistration(email: string, lifetimeMs: number): Promise<Link & Revocable>;
  /** The address that a link registers, or null where it does not (any more). */
  addressOfToken(read: Reader, token: string): Promise<string | null>;
  /** The account whose link this is, and what the link denies, or null where it does not work (any more). */
  byLinkToken(read: Reader, token: string): Promise<{ account: store.Account; denies: number | null } | null>;
  /** Throws INVALID_BODY, pointing at `field`, when the password is a common one. */
  prepare(password: string, owner: PasswordOwner, field?: string): Promise<PreparedPassword>;
  /**
   * Sets the password, and ends the account's links, its waiting time, and what the provider remembers of it.
   * `not-me` links go on working.
   */
  setPassword(change: Change, accountId: string, password: PreparedPassword): Promise<void>;
  /**
   * Counts a request for a link to an address, known or not, by the network that it comes from: one at once, the
   * next after a minute, then longer and longer; and for all networks together. Registrations are also counted for
   * all addresses together, since each may be a mail. Throws TOO_MANY_REQUESTS.
   */
  countRequest(what: 'forgotten' | 'registration', email: string, address: string): Promise<void>;
  /**
   * The account whose email and password these are, or null. Neither the answer nor its time
   * reveals which of the two is wrong. Throws TOO_MANY_REQUESTS while guesses have to wait: a browser that the
   * account knows waits for its own guesses alone; all others wait for the guesses of their network, and for all of
   * these together (SES-3).
   */
  check(email: string, password: string, attempt: Attempt): Promise<store.Account | null>;
  /**
   * Checks a code of an account; a wrong one counts as a wrong password. Throws TOO_MANY_REQUESTS.
   */
  checkCode(account: store.Account, attempt: Attempt, isRight: () => Promise<boolean>): Promise<boolean>;
};

/**
 * The accounts that may sign in with a password at the embedded provider.
 *
 * @param hashing the cost of a stored password; tests of other things have a lower one
 */
export function createAccounts({
  database,
  clock,
  publicUrl,
  hashing,
}: Pick<Core, 'database' | 'clock'> & {
  publicUrl: string;
  hashing?: HashParameters | undefined;
}): Accounts {
  async function insert(
    change: Change,
    account: Pick<store.Account, 'id' | 'email' | 'passwordHash'>,
  ): Promise<void> {
    if ((await store.accountByEmail(change.tx, account.email)) !== null) {
      throw taken('/email', 'There is an account with this email address.', 'has an account');
    }
    await store.insertAccount(change, account);
  }

  async function existing(read: Reader, accountId: string): Promise<store.Account> {
    return orNotFound(await store.accountById(read, accountId), 'There is no such account.');
  }

  async function newLink(
    change: Change,
    account: Pick<store.Account, 'id' | 'passwordHash'>,
    { lifetimeMs, denies }: { lifetimeMs?: number; denies?: number } = {},
  ): Promise<PasswordLink & { tokenHash: string }> {
    const purpose = denies !== undefined ? 'not-me' : account.passwordHash === null ? 'invitation' : 'reset';
    const createdAt = denies ?? change.at;
    const expiresAt = change.at + (lifetimeMs ?? linkLifetimeMs[purpose]);
    const accountId = account.id;
    return { accountId, ...(await storeLink(change, { purpose, accountId, createdAt, expiresAt })) };
  }

  async function storeLink(
    change: Change,
    facts: Omit<store.NewLink, 'tokenHash'>,
  ): Promise<Link & { tokenHash: string }> {
    const token = newSecret();
    const tokenHash = hashSecret(token);
    await store.insertLink(change, { tokenHash, ...facts });
    return { link: `${publicUrl}/invitation#${token}`, expiresAt: facts.expiresAt, tokenHash };
  }

  const revocable = <L extends { tokenHash: string }>({ tokenHash, ...link }: L) => ({
    ...link,
    revoke: () => database.transaction((tx) => store.deleteLink(tx, tokenHash)),
  });

  /** A new link without the hash of its token, which only a link that can be revoked needs. */
  async function shownLink(
    change: Change,
    account: Pick<store.Account, 'id' | 'passwordHash'>,
  ): Promise<PasswordLink> {
    const { tokenHash: _hash, ...link } = await newLink(change, account);
    return link;
  }

  return {
    byId: store.accountById,
    byEmail: store.accountByEmail,
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
      await store.deleteLinksOf(change.tx, accountId);
      return shownLink(change, account);
    },
    async addLink(accountId, options) {
      const link = await database.change(async (change) => {
        const account = await existing(change.tx, accountId);
        return newLink(change, account, options);
      });
      return revocable(link);
    },
    async addRegistration(email, lifetimeMs) {
      const facts = { purpose: 'registration', accountId: null, email } as const;
      return revocable(
        await database.change((change) => storeLink(change, { ...facts, expiresAt: change.at + lifetimeMs })),
      );
    },
    addressOfToken: (read, token) => store.addressOfLink(read, hashSecret(token), clock.now()),
    async byLinkToken(read, token) {
      const link = await store.accountLink(read, hashSecret(token), clock.now());
      const account = link?.accountId == null ? null : await store.accountById(read, link.accountId);
      if (link === null || account === null) return null;
      return { account, denies: link.purpose === 'not-me' ? link.createdAt : null };
    },
    async prepare(password, owner, field = '/password') {
      if (await isCommonPassword(password, owner))
        throw invalid(field, 'common', 'is a common password, or made of what others know');
      return { hash: await hashPassword(password, hashing, { known: true, by: owner.email }) };
    },
    async setPassword(change, accountId, password) {
      const { email } = await existing(change.tx, accountId);
      await store.storePasswordHash(change.tx, accountId, password.hash);
      await store.deleteLinksOf(change.tx, accountId);
      await store.clearAttempts(change.tx, hashSecret(email));
      await deleteRecordsOf(change.tx, accountId);
    },
    async countRequest(what, email, address) {
      const limits = {
        each: waits.waitAfterRequest,
        site: waits.waitAfterRequest,
        total: waits.totalRequests,
      };
      const { network, site } = networkOf(address);
      await count(
        strangersKeys(what, email, address),
        limits,
        what === 'forgotten'
          ? []
          : [
              [keyOf('', what, site ?? network), waits.registrationsOfNetwork],
              [keyOf('', what), waits.registrations],
            ],
      );
    },
    async check(email, password, { address, knownTo, onWrong }) {
      // An address without an account is treated the same, so that the answer does not reveal which addresses
      // have one.
      const account = await store.accountByEmail(database.read, email);
      const browser = account === null ? null : knownTo(account);
      const keys = attemptKeys('password', email, address, browser);
      const attempts = await count(keys, guessLimits);
      const { network, site } = networkOf(address);
      const turn: Turn =
        browser === null ? { known: false, by: site ?? network } : { known: true, by: email };
      const stored = account?.passwordHash ?? null;
      const passwordHash = stored === store.passwordRemoved ? null : stored;
      const right = await verifyPassword(password, passwordHash, hashing, turn);
      if (!right || account === null || passwordHash === null) {
        if (account !== null) report(account, attempts, browser, onWrong);
        return null;
      }
      const renewed = isOutdated(passwordHash, hashing)
        ? await hashPassword(password, hashing, { known: true, by: email })
        : null;
      await database.transaction(async (tx) => {
        await forget(tx, keys);
        if (renewed !== null) await store.replacePasswordHash(tx, account.id, passwordHash, renewed);
      });
      return { ...account, passwordHash: renewed ?? passwordHash };
    },
    async checkCode(account, { address, knownTo, onWrong }, isRight) {
      const browser = knownTo(account);
      const keys = attemptKeys('code', account.email, address, browser);
      const attempts = await count(keys, guessLimits);
      const right = await isRight();
      if (right) await database.transaction((tx) => forget(tx, keys));
      else report(account, attempts, browser, onWrong);
      return right;
    },
  };

  /** Reports a series of guesses once, and once more where it goes on, so that guesses do not fill the audit. */
  function report(
    account: store.Account,
    attempts: number,
    browser: string | null,
    onWrong: Attempt['onWrong'],
  ): void {
    if (attempts === (browser === null ? 1 : waits.mistypes + 1)) onWrong?.(account, 'first');
    if (attempts === waits.attemptsUntilSlowest) onWrong?.(account, 'slowed');
  }

  async function forget(tx: Writer, { each, site, total }: AttemptKeys): Promise<void> {
    await store.clearCounts(tx, [each, ...(site === null ? [] : [site])]);
    if (total !== null) await store.leaveTotal(tx, total, clock.now(), waits.totalAttempts);
  }

  /** Counts an attempt; answers how many in a row there were. Throws TOO_MANY_REQUESTS, and then counts nothing. */
  async function count(
    { each, site, total }: AttemptKeys,
    limits: { each(attempts: number): number; site(attempts: number): number; total: waits.Total },
    totals: readonly (readonly [key: string, total: waits.Total])[] = [],
  ): Promise<number> {
    const now = clock.now();
    return database.transaction(async (tx) => {
      // The totals come last for all, in one order, so that two attempts never wait for each other.
      const own = await store.countAttempt(tx, each, now, limits.each);
      let refusedUntil =
        own.refusedUntil ??
        (site === null ? null : (await store.countAttempt(tx, site, now, limits.site)).refusedUntil) ??
        (total === null ? null : await store.countIntoTotal(tx, total, now, limits.total));
      for (const [key, of] of totals) refusedUntil ??= await store.countIntoTotal(tx, key, now, of);
      if (own.refusedUntil !== null || refusedUntil !== null)
        throw new HttpProblem('TOO_MANY_REQUESTS', {
          retryAfter: Math.ceil(((refusedUntil ?? now) - now) / 1000),
        });
      return own.attempts;
    });
  }
}

const guessLimits = { each: waits.waitAfter, site: waits.waitOfSite, total: waits.totalAttempts };

/** The keys of an attempt. Attempts of a browser that the account knows are counted separately. */
function attemptKeys(what: string, email: string, address: string, browser: string | null): AttemptKeys {
  if (browser === null) return strangersKeys(what, email, address);
  return { each: keyOf(email, what === 'password' ? 'browser' : what, browser), site: null, total: null };
}

/** The keys under which an attempt is counted. */
type AttemptKeys = { each: string; site: string | null; total: string | null };

function keyOf(email: string, ...from: readonly string[]): string {
  return `${hashSecret(email)}.${hashSecret(JSON.stringify(from))}`;
}

/** The keys of a stranger: account and network, account and the /48 around the network, and the account alone. */
function strangersKeys(what: string, email: string, address: string): AttemptKeys {
  const { network, site } = networkOf(address);
  return {
    each: keyOf(email, what, network),
    site: site === null ? null : keyOf(email, what, site),
    total: keyOf(email, what),
  };
}

/** The person of an account, or null. */
export async function holderOf(read: Reader, accountId: string): Promise<Holder | null> {
  const personId = await personByIdentity(read, embeddedIssuer, accountId);
  const profile = personId === null ? null : await profileOf(read, personId);
  return profile === null
    ? null
    : { personId: profile.id, firstName: profile.firstName, lastName: profile.lastName };
}

/** The account of a person, or null where the person signs in elsewhere. */
export async function accountIdOf(read: Reader, personId: string): Promise<string | null> {
  const identity = await identityOf(read, personId);
  return identity?.issuer === embeddedIssuer ? identity.subject : null;
}
