import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Database } from '../../platform/database.ts';
import { etagOf } from '../../platform/etag.ts';
import { createReadThroughCache } from '../../platform/read-through-cache.ts';
import type { Caller } from '../../platform/serve.ts';
import type { TokenGrant } from '../api-tokens/api-tokens.ts';
import { readRights } from './permissions.store.ts';

/** The rights of one person, as they are asked for and as they are answered. */
export type HeldRights = { set: ReadonlySet<string>; sorted: readonly string[]; etag: string };

export type Permissions = {
  /** The rights of a caller now, at once where they are in memory (RIGHT-3). A token has those of its own that its creator still holds. */
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** The rights of a person now, or null where there is no such person. */
  ofPerson(personId: string): HeldRights | Promise<HeldRights | null>;
};

export type PermissionsOptions = {
  database: Database;
  feed: ChangeFeed;
  /** What an API token was given, or null where it is gone. */
  tokenGrant(tokenId: string): TokenGrant | Promise<TokenGrant | null>;
};

const nobodysRights: ReadonlySet<string> = new Set();

/** Decides rights from memory, which the change feed keeps true. */
export function createPermissions({ database, feed, tokenGrant }: PermissionsOptions): Permissions {
  const people = createReadThroughCache<HeldRights>({
    max: 10_000,
    async read(personId) {
      const sorted = await readRights(database.read, personId);
      return sorted === null ? null : { set: new Set(sorted), sorted, etag: etagOf(JSON.stringify(sorted)) };
    },
  });
  feed.on('rights', ({ key }) => people.drop(key));
  feed.on('person', ({ key }) => people.drop(key));

  async function waitFor(held: Promise<HeldRights | null>): Promise<ReadonlySet<string>> {
    return (await held)?.set ?? nobodysRights;
  }

  async function ofToken(tokenId: string): Promise<ReadonlySet<string>> {
    const grant = await tokenGrant(tokenId);
    if (grant === null) return nobodysRights;
    if (grant.createdBy === null) return grant.rights;
    const creator = await people.get(grant.createdBy);
    return creator === null
      ? nobodysRights
      : new Set([...grant.rights].filter((right) => creator.set.has(right)));
  }

  return {
    rightsOf(caller) {
      if (caller.kind === 'token') return ofToken(caller.id);
      const held = people.get(caller.id);
      return held instanceof Promise ? waitFor(held) : held.set;
    },
    ofPerson: (personId) => people.get(personId),
  };
}
