import type { Reader } from '#server/platform/database/database.ts';
import { identityOf, personByIdentity } from '#features/directory/server/people.store.ts';
import { profileOf } from '#features/profile/server/profile.store.ts';
import { embeddedIssuer } from './accounts.ts';

/** The person who signs in with an account. */
export type Holder = { personId: string; firstName: string; lastName: string };

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
