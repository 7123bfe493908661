import { LRUCache } from 'lru-cache';
import type { Core } from '#server/core.ts';
import { etagOf } from '#server/platform/http/prepared-answers.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { TokenGrant } from '#features/api-tokens/server/api-tokens.ts';
import { decideRights, effectiveRoles, prepareRules, type PersonFacts, type Rules } from './decide-rights.ts';
import { readFacts } from './permissions.store.ts';
import { readRuleSet } from './rules.store.ts';

/** The rights of one person: as a set for checks, and sorted with an ETag for answers. */
export type EffectiveRights = { set: ReadonlySet<string>; sorted: readonly string[]; etag: string };

export type RightsInMemory = {
  /**
   * The current rights of a caller, synchronously if they are in memory (RIGHT-3). An API token has those of
   * its rights that its creator still has.
   */
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** The rights of a person now, or null where there is no such person. */
  ofPerson(personId: string): EffectiveRights | Promise<EffectiveRights | null>;
  /** Roles and rights of a person. Both are the same objects until one of them changes. */
  rolesAndRights(personId: string): RolesAndRights | Promise<RolesAndRights | null>;
};

export type RolesAndRights = { readonly held: EffectiveRights; readonly roles: readonly string[] };

export type PermissionsOptions = Pick<Core, 'database' | 'feed' | 'clock'> & {
  /** What an API token was given, or null where it is gone. */
  tokenGrant(tokenId: string): TokenGrant | Promise<TokenGrant | null>;
};

/** A person's entry in the cache: the facts, and the rights with the time for which they hold. */
type StoredPerson = {
  facts: PersonFacts;
  rules: Rules;
  from: number;
  until: number;
  held: EffectiveRights;
  roles: readonly string[];
};

const nobodysRights: ReadonlySet<string> = new Set();

/**
 * Decides rights from a cache, which the change feed invalidates. When a grant or a denial ends they are
 * decided again from the cached facts, without the database. People with the same rights share one list to
 * save memory.
 */
export function createEffectiveRights({
  database,
  feed,
  clock,
  tokenGrant,
}: PermissionsOptions): RightsInMemory {
  const lists = new LRUCache<string, EffectiveRights>({ max: 1_000 });
  const rules = createReadThroughCache<Rules>({
    max: 1,
    read: async () => prepareRules(await readRuleSet(database.read)),
  });
  const people = createReadThroughCache<StoredPerson>({
    max: 20_000,
    async read(personId) {
      const facts = (await readFacts(database.read, [personId])).get(personId);
      const inForce = await rules.get('');
      return facts === undefined || inForce === null ? null : decide({ facts, rules: inForce }, clock.now());
    },
  });
  feed.on('right-rules', () => {
    rules.dropAll();
    people.dropAll();
  });
  feed.on('rights', ({ key }) => (key === '' ? people.dropAll() : people.drop(key)));
  feed.on('person', ({ key }) => people.drop(key));

  function decide(person: Pick<StoredPerson, 'facts' | 'rules'>, now: number): StoredPerson {
    const { rights, until } = decideRights(person.facts, person.rules, now);
    const etag = etagOf(JSON.stringify(rights));
    const held = lists.get(etag) ?? { set: new Set(rights), sorted: rights, etag };
    lists.set(etag, held);
    return { ...person, from: now, until, held, roles: effectiveRoles(person.facts, person.rules) };
  }

  /** What a person holds now; a clock that was set back is followed too. */
  function decidedNow(person: StoredPerson): RolesAndRights {
    const now = clock.now();
    if (now >= person.until || now < person.from) Object.assign(person, decide(person, now));
    return person;
  }

  async function waitFor(person: Promise<StoredPerson | null>): Promise<RolesAndRights | null> {
    const found = await person;
    return found === null ? null : decidedNow(found);
  }

  function rolesAndRights(personId: string): RolesAndRights | Promise<RolesAndRights | null> {
    const person = people.get(personId);
    return person instanceof Promise ? waitFor(person) : decidedNow(person);
  }

  async function heldIn(person: Promise<RolesAndRights | null>): Promise<EffectiveRights | null> {
    return (await person)?.held ?? null;
  }

  function ofPerson(personId: string): EffectiveRights | Promise<EffectiveRights | null> {
    const person = rolesAndRights(personId);
    return person instanceof Promise ? heldIn(person) : person.held;
  }

  async function ofToken(tokenId: string): Promise<ReadonlySet<string>> {
    const grant = await tokenGrant(tokenId);
    if (grant === null) return nobodysRights;
    if (grant.createdBy === null) return grant.rights;
    const creator = await ofPerson(grant.createdBy);
    return creator === null
      ? nobodysRights
      : new Set([...grant.rights].filter((right) => creator.set.has(right)));
  }

  async function setOf(held: Promise<EffectiveRights | null>): Promise<ReadonlySet<string>> {
    return (await held)?.set ?? nobodysRights;
  }

  return {
    rightsOf(caller) {
      if (caller.kind === 'token') return ofToken(caller.id);
      const held = ofPerson(caller.id);
      return held instanceof Promise ? setOf(held) : held.set;
    },
    ofPerson,
    rolesAndRights,
  };
}
