import type { PersonState } from '@portico/contract/people';
import type { ChangeFeed } from '../../platform/database/change-feed.ts';
import type { Change, Database } from '../../platform/database/database.ts';
import { createReadThroughCache } from '../../platform/database/read-through-cache.ts';
import { addProfile } from '../profile/profile.store.ts';
import { insertPerson, standingOf, type NewPerson } from './people.store.ts';

/** What decides whether a person may sign in. */
export type Standing = { state: PersonState; email: string };

/** The same with what they are called. */
export type KnownPerson = Standing & { name: string };

export type Directory = {
  /** Whether a person may come in now, at once where it is in memory; null where there is no such person. */
  standing(personId: string): KnownPerson | Promise<KnownPerson | null>;
};

/** People as every request asks for them: from memory, which the change feed keeps true (SES-8). */
export function createDirectory({ database, feed }: { database: Database; feed: ChangeFeed }): Directory {
  const standings = createReadThroughCache<KnownPerson>({
    max: 10_000,
    read: (personId) => standingOf(database.read, personId),
    // An invited person becomes active by a password, which publishes nothing here.
    keeps: ({ state }) => state !== 'invited',
  });
  feed.on('person', ({ key }) => standings.drop(key));
  return { standing: (personId) => standings.get(personId) };
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
