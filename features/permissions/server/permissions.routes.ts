import { getPermissions } from '#features/permissions/contract/of-person.ts';
import {
  getOwnAccess,
  type AccessSource,
  type OwnAccess,
} from '#features/permissions/contract/own-access.ts';
import {
  addGroupMapping,
  addRight,
  addRole,
  changeGroupMapping,
  changeRight,
  changeRole,
  listGroupMappings,
  listGroups,
  listRights,
  listRightsOfPerson,
  listRoles,
  most,
  previewChange,
  removeGroupMapping,
  removeOwnRight,
  removeRight,
  removeRole,
  setOwnRight,
  whyHasRight,
  type RightSource,
} from '#features/permissions/contract/administration.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { namesEtag } from '#server/platform/http/etag.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { explainRights, prepareRules, type PersonFacts, isBuiltInRole } from './decide-rights.ts';
import { lastingManagers } from './last-administrator.ts';
import type { RightsInMemory } from './effective-rights.ts';
import { readFacts } from './permissions.store.ts';
import * as catalogue from './change-catalogue.ts';
import * as mappings from './change-mappings.ts';
import * as ownRights from './change-own-rights.ts';
import * as roles from './change-roles.ts';
import {
  readCatalogue,
  readGroups,
  readMappings,
  readRoles,
  readRuleSet,
  roleNamesOf,
} from './rules.store.ts';
import { previewOf } from './affected-people.ts';

/** How many groups are suggested. */
const mostGroups = 50;
const mostManagers = 10_000;

export function permissionsRoutes(
  serve: Serve,
  options: {
    database: Database;
    clock: Clock;
    held: Pick<RightsInMemory, 'ofPerson'>;
  },
): void {
  const { database, clock, held } = options;

  serve(getPermissions, async ({ params, request, reply }) => {
    const rights = orNotFound(await held.ofPerson(params.userId), 'There is no such person.');
    reply.headers({ etag: rights.etag, 'cache-control': 'private, no-cache' });
    if (namesEtag(request.headers['if-none-match'], rights.etag)) reply.code(304);
    return [...rights.sorted];
  });

  serve(getOwnAccess, ({ params }) => ownAccessOf(database.read, params.userId, clock.now()));

  serve(listRights, async () => ({ rights: await readCatalogue(database.read), most: most.rights }));
  serve(addRight, ({ body, caller }) =>
    database.change((change) => catalogue.addRight(change, caller, body)),
  );
  serve(changeRight, ({ params, body, caller }) =>
    database.change((change) => catalogue.changeRight(change, caller, params.right, body)),
  );
  serve(removeRight, ({ params, caller }) =>
    database.change((change) => catalogue.removeRight(change, caller, params.right)),
  );

  serve(listRoles, async () => ({ roles: await readRoles(database.read), most: most.roles }));
  serve(addRole, ({ body, caller }) => database.change((change) => roles.addRole(change, caller, body)));
  serve(changeRole, ({ params, body, caller }) =>
    database.change((change) => roles.changeRole(change, caller, params.role, body)),
  );
  serve(removeRole, ({ params, caller }) =>
    database.change((change) => roles.removeRole(change, caller, params.role)),
  );

  serve(listGroupMappings, async () => ({
    mappings: await readMappings(database.read),
    most: most.mappings,
  }));
  serve(addGroupMapping, ({ body, caller }) =>
    database.change((change) => mappings.addMapping(change, caller, body)),
  );
  serve(changeGroupMapping, ({ params, body, caller }) =>
    database.change((change) => mappings.changeMapping(change, caller, params.mappingId, body)),
  );
  serve(removeGroupMapping, ({ params, caller }) =>
    database.change((change) => mappings.removeMapping(change, caller, params.mappingId)),
  );
  serve(listGroups, async ({ query }) => ({ groups: await readGroups(database.read, query, mostGroups) }));

  serve(previewChange, ({ body }) => {
    const now = clock.now();
    return previewOf(database.read, body, now, () => lastingManagers(database.read, now, mostManagers));
  });

  serve(whyHasRight, async ({ params }) => {
    const { facts, rules } = await readPerson(database.read, params.personId);
    const why = explainRights(facts, rules, clock.now()).find(({ right }) => right === params.right);
    return orNotFound(why, 'There is no such right.');
  });

  serve(listRightsOfPerson, async ({ params }) => {
    const { facts, rules } = await readPerson(database.read, params.personId);
    return {
      rights: explainRights(facts, rules, clock.now()),
      own: [...facts.own],
      roles: [...facts.roles],
      groups: facts.groups.map((group) => ({
        ...group,
        roles: [...new Set(rules.mappingsFor(group).flatMap(({ roles }) => roles))].toSorted(),
      })),
    };
  });

  serve(setOwnRight, ({ params, body, caller }) =>
    database.change((change) =>
      ownRights.setOwnRight(change, caller, params.personId, {
        right: params.right,
        effect: params.effect,
        ...body,
      }),
    ),
  );
  serve(removeOwnRight, ({ params, caller }) =>
    database.change((change) =>
      ownRights.removeOwnRight(change, caller, params.personId, params.right, params.effect),
    ),
  );
}

async function readPerson(
  read: Reader,
  personId: string,
): Promise<{ facts: PersonFacts; rules: ReturnType<typeof prepareRules> }> {
  const known = await readFacts(read, [personId]);
  const facts = orNotFound(known.get(personId), 'There is no such person.');
  return { facts: await withGrantorNames(read, facts), rules: prepareRules(await readRuleSet(read)) };
}

/**
 * Replaces the ids of the people who gave roles and rights by their current name or address, where there is
 * one.
 */
async function withGrantorNames(read: Reader, facts: PersonFacts): Promise<PersonFacts> {
  const names = await namesOf(
    read,
    [...facts.roles, ...facts.own].map(({ givenBy }) => givenBy),
  );
  const named = <Given extends { givenBy: string | null }>(given: Given): Given => ({
    ...given,
    givenBy: given.givenBy === null ? null : (names[given.givenBy] ?? given.givenBy),
  });
  return { ...facts, roles: facts.roles.map(named), own: facts.own.map(named) };
}

/**
 * What a person may do and why, for themselves (RIGHT-4): without the names of operators and the reasons that
 * they wrote down for each other. Rights that nothing gives them are left out.
 */
async function ownAccessOf(read: Reader, personId: string, now: number): Promise<OwnAccess> {
  const facts = orNotFound((await readFacts(read, [personId])).get(personId), 'There is no such person.');
  const why = explainRights(facts, prepareRules(await readRuleSet(read)), now);
  const catalogue = new Map((await readCatalogue(read)).map((one) => [one.right, one]));
  const rights = why
    .filter(({ sources }) => sources.length > 0)
    .map(({ right, held, sources, denial }) => {
      const { area = '', builtIn = false, label = '', description = '' } = catalogue.get(right) ?? {};
      return {
        right,
        area,
        builtIn,
        label,
        description,
        allowed: held,
        sources: distinct(sources.map(sourceOf)),
        denied: denial === null ? null : { expiresAt: denial.expiresAt },
      };
    });
  const roles = rights.flatMap(({ sources }) => sources.flatMap((one) => ('role' in one ? one.role : [])));
  return {
    rights,
    roleNames: await roleNamesOf(
      read,
      [...new Set(roles)].filter((role) => !isBuiltInRole(role)),
    ),
  };
}

function sourceOf(source: RightSource): AccessSource {
  switch (source.kind) {
    case 'role':
      return { kind: 'role', role: source.role };
    case 'group':
      return { kind: 'group', role: source.role, group: source.group.name };
    case 'grant':
      return { kind: 'exception', expiresAt: source.expiresAt };
  }
}

/** Two mappings may give the same role by the same group. */
function distinct(sources: readonly AccessSource[]): AccessSource[] {
  return [...new Map(sources.map((one) => [JSON.stringify(one), one])).values()];
}
