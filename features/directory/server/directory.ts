import type { PersonState } from '#features/people/contract/people.ts';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import { addProfile } from '#features/profile/server/profile.store.ts';
import { insertPerson, accountStateOf, type NewPerson } from './people.store.ts';

/** The state of an account: whether its person may sign in, and the address. */
export type AccountState = { state: PersonState; email: string };

export type KnownPerson = AccountState & { name: string };

export type Directory = {
  /** The state of a person's account, synchronously if it is in memory; null if there is no such person. */
  accountState(personId: string): KnownPerson | Promise<KnownPerson | null>;
};

/** Account states for the check of each request, from a cache that the change feed invalidates (SES-8). */
export function createDirectory({ database, feed }: { database: Database; feed: ChangeFeed }): Directory {
  const accountStates = createReadThroughCache<KnownPerson>({
    max: 20_000,
    read: (personId) => accountStateOf(database.read, personId),
    // Invited people are not cached: they become active by setting a password, which publishes nothing here.
    keeps: ({ state }) => state !== 'invited',
  });
  feed.on('person', ({ key }) => accountStates.drop(key));
  return { accountState: (personId) => accountStates.get(personId) };
}

export type NewPersonWithProfile = NewPerson & {
  firstName: string;
  lastName: string;
  locale?: string | null;
};

/** Adds a person with their profile, without a role yet; answers the id. */
export async function createPerson(change: Change, person: NewPersonWithProfile): Promise<string> {
  const personId = await insertPerson(change, person);
  await addProfile(change.tx, personId, person);
  return personId;
}
