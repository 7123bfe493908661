import type { OwnEffect } from '#features/permissions/contract/administration.ts';
import type { Role } from '#features/permissions/contract/permissions.ts';
import { createApiToken } from '#features/api-tokens/server/api-tokens.store.ts';
import { createAccounts, embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import { hashPassword, type HashParameters } from '#features/identity-provider/server/password-hash.ts';
import { createPerson } from '#features/directory/server/directory.ts';
import { setRolesOf, writeOwnRight } from '#features/permissions/server/permissions.store.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import type { Change, Database } from '../platform/database/database.ts';
import { newId } from '../platform/keys/ids.ts';

/** The author of what a test writes itself. */
export const aTest = { kind: 'command-line', id: null, name: 'a test' } as const;

type Installation = { database: Database };

export type PersonToAdd = {
  email?: string;
  /** Whether the provider vouches for the address; it does where this is left out. */
  emailVerified?: boolean;
  firstName?: string;
  lastName?: string;
  roles?: readonly Role[];
  /** Rights granted to the person directly, for good. */
  rights?: readonly string[];
  /**
   * The password that they sign in with; null: invited, without one. Where it is left out they sign in at
   * another provider.
   */
  password?: string | null;
};

/**
 * Hashing is slow by design, and nearly every test signs people in: the least that argon2id takes. The true
 * cost has tests of its own, and so have processes of Portico.
 */
export const quickHashing: HashParameters = { memory: 8, passes: 1, parallelism: 1 };

/** Adds a person as if they had been there before; answers the id. */
export async function addPerson({ database }: Installation, person: PersonToAdd = {}): Promise<string> {
  const {
    email = `${newId().toLowerCase()}@example.org`,
    emailVerified = true,
    firstName = '',
    lastName = '',
    roles = [],
    rights = [],
  } = person;
  const accounts = createAccounts({ database, clock: systemClock, publicUrl: '' });
  const prepared =
    person.password == null ? null : { hash: await hashPassword(person.password, quickHashing) };

  async function identity(change: Change): Promise<{ issuer: string; subject: string }> {
    if (person.password === undefined) return { issuer: 'https://provider.example.org', subject: newId() };
    const subject =
      prepared === null
        ? (await accounts.invite(change, { email })).accountId
        : await accounts.create(change, { email, password: prepared });
    return { issuer: embeddedIssuer, subject };
  }

  return database.change(async (change) => {
    const id = await createPerson(change, {
      ...(await identity(change)),
      email,
      emailVerified,
      firstName,
      lastName,
    });
    await setRolesOf(change, id, roles);
    for (const right of rights) await giveRight(change, id, right);
    return id;
  });
}

/** Grants or denies a person a single right, for good where `expiresAt` is left out. */
export function giveRight(
  change: Change,
  personId: string,
  right: string,
  effect: OwnEffect = 'grant',
  expiresAt: number | null = null,
): Promise<void> {
  return writeOwnRight(change, personId, { right, effect, expiresAt, reason: '', givenBy: aTest });
}

/** Makes an API token, of the command line where `createdBy` is left out; answers the bearer. */
export async function addToken(
  { database }: Installation,
  token: { rights: readonly string[]; name?: string; createdBy?: string; lifetimeMs?: number; clock?: Clock },
): Promise<string> {
  const { name = 'a test', createdBy = null, lifetimeMs = 3_600_000, clock = systemClock } = token;
  const expiresAt = clock.now() + lifetimeMs;
  const { secret } = await database.change((change) =>
    createApiToken(change, { name, rights: token.rights, createdBy, expiresAt }),
  );
  return secret;
}
