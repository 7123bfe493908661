import {
  type AccessSource,
  getOwnAccess,
  getPermissions,
  type OwnAccess,
} from '#features/permissions/contract/own-access.ts';
import * as contract from '#features/permissions/contract/administration.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { namesEtag } from '#server/platform/http/prepared-answers.ts';
import { HttpProblem, invalid, orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { type Actor, recordAudit } from '#features/audit/server/audit.store.ts';
import * as catalogue from './change-catalogue.ts';
import * as mappings from './change-mappings.ts';
import * as roles from './change-roles.ts';
import {
  explainRights,
  isBuiltInRight,
  isBuiltInRole,
  isInForce,
  type PersonFacts,
  prepareRules,
} from './decide-rights.ts';
import { lastingManagers, requireAdministrator } from './last-administrator.ts';
import type { RightsInMemory } from './effective-rights.ts';
import {
  countOwnRights,
  deleteOwnRight,
  readFacts,
  readOwnRight,
  writeOwnRight,
} from './permissions.store.ts';
import * as store from './rules.store.ts';
import { previewOf } from './affected-people.ts';
import { requireGivable } from './given-by-token.ts';

/** How many groups are suggested. */
const mostGroups = 50;
const mostManagers = 10_000;

export function permissionsRoutes(
  serve: Serve,
  options: Pick<Core, 'database' | 'clock'> & {
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

  serve(contract.listRights, async () => ({
    rights: await store.readCatalogue(database.read),
    most: contract.most.rights,
  }));
  serve(contract.addRight, ({ body, caller }) =>
    database.change((change) => catalogue.addRight(change, caller, body)),
  );
  serve(contract.changeRight, ({ params, body, caller }) =>
    database.change((change) => catalogue.changeRight(change, caller, params.right, body)),
  );
  serve(contract.removeRight, ({ params, caller }) =>
    database.change((change) => catalogue.removeRight(change, caller, params.right)),
  );

  serve(contract.listRoles, async () => ({
    roles: await store.readRoles(database.read),
    most: contract.most.roles,
  }));
  serve(contract.addRole, ({ body, caller }) =>
    database.change((change) => roles.addRole(change, caller, body)),
  );
  serve(contract.changeRole, ({ params, body, caller }) =>
    database.change((change) => roles.changeRole(change, caller, params.role, body)),
  );
  serve(contract.removeRole, ({ params, caller }) =>
    database.change((change) => roles.removeRole(change, caller, params.role)),
  );

  serve(contract.listGroupMappings, async () => ({
    mappings: await store.readMappings(database.read),
    most: contract.most.mappings,
  }));
  serve(contract.addGroupMapping, ({ body, caller }) =>
    database.change((change) => mappings.addMapping(change, caller, body)),
  );
  serve(contract.changeGroupMapping, ({ params, body, caller }) =>
    database.change((change) => mappings.changeMapping(change, caller, params.mappingId, body)),
  );
  serve(contract.removeGroupMapping, ({ params, caller }) =>
    database.change((change) => mappings.removeMapping(change, caller, params.mappingId)),
  );
  serve(contract.listGroups, async ({ query }) => ({
    groups: await store.readGroups(database.read, query, mostGroups),
  }));

  serve(contract.previewChange, ({ body }) => {
    const now = clock.now();
    return previewOf(database.read, body, now, () => lastingManagers(database.read, now, mostManagers));
  });

  serve(contract.whyHasRight, async ({ params }) => {
    const { facts, rules } = await readPerson(database.read, params.personId);
    const why = explainRights(facts, rules, clock.now()).find(({ right }) => right === params.right);
    return orNotFound(why, 'There is no such right.');
  });

  serve(contract.listRightsOfPerson, async ({ params }) => {
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

  serve(contract.setOwnRight, ({ params, body, caller }) =>
    database.change((change) =>
      giveOwnRight(change, caller, params.personId, {
        right: params.right,
        effect: params.effect,
        ...body,
      }),
    ),
  );
  serve(contract.removeOwnRight, ({ params, caller }) =>
    database.change((change) =>
      withdrawOwnRight(change, caller, params.personId, params.right, params.effect),
    ),
  );
}

async function readPerson(
  read: Reader,
  personId: string,
): Promise<{ facts: PersonFacts; rules: ReturnType<typeof prepareRules> }> {
  const known = await readFacts(read, [personId]);
  const facts = orNotFound(known.get(personId), 'There is no such person.');
  return { facts: await withGrantorNames(read, facts), rules: prepareRules(await store.readRuleSet(read)) };
}

/** Replaces the ids of those who gave roles and rights by their current name or address. */
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
  const why = explainRights(facts, prepareRules(await store.readRuleSet(read)), now);
  const catalogue = new Map((await store.readCatalogue(read)).map((one) => [one.right, one]));
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
    roleNames: await store.roleNamesOf(
      read,
      [...new Set(roles)].filter((role) => !isBuiltInRole(role)),
    ),
  };
}

function sourceOf(source: contract.RightSource): AccessSource {
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

/** Grants or denies a person a right; doing so again changes the end and the reason. */
async function giveOwnRight(
  change: Change,
  actor: Actor,
  personId: string,
  own: { right: string; effect: contract.OwnEffect; expiresAt: number | null; reason: string },
): Promise<contract.OwnRight> {
  const { right, effect, expiresAt, reason } = own;
  orNotFound((await readFacts(change.tx, [personId])).get(personId), 'There is no such person.');
  if (!isBuiltInRight(right))
    orNotFound(await store.readCatalogueRight(change.tx, right), 'There is no such right.');
  if (expiresAt !== null && expiresAt <= change.at) throw invalid('/expiresAt', 'past', 'is over already');
  const before = await readOwnRight(change.tx, personId, right, effect);
  if (before === null && (await countOwnRights(change.tx, personId)) >= contract.most.ownRightsOfPerson) {
    throw new HttpProblem('CONFLICT', {
      detail: `A person can have ${contract.most.ownRightsOfPerson} grants and denials at most. Make a role.`,
    });
  }
  // A denial that ends sooner gives the right back.
  const endsSooner =
    before !== null &&
    isInForce(before, change.at) &&
    (expiresAt ?? Infinity) < (before.expiresAt ?? Infinity);
  if (effect === 'grant' || endsSooner) await requireGivable(change, actor, () => [right]);
  await requireAdministrator(change, () =>
    writeOwnRight(change, personId, { right, effect, expiresAt, reason, givenBy: actor }),
  );
  await recordAudit(change, actor, {
    action: effect === 'grant' ? 'person.grant-right' : 'person.deny-right',
    subject: personId,
    before: before === null ? undefined : { right, expiresAt: before.expiresAt, reason: before.reason },
    after: { right, expiresAt, reason },
  });
  return { right, effect, expiresAt, reason, givenAt: change.at, givenBy: actor.name };
}

async function withdrawOwnRight(
  change: Change,
  actor: Actor,
  personId: string,
  right: string,
  effect: contract.OwnEffect,
): Promise<void> {
  const before = orNotFound(
    await readOwnRight(change.tx, personId, right, effect),
    `This person has no such ${effect === 'grant' ? 'grant' : 'denial'}.`,
  );
  if (effect === 'denial') await requireGivable(change, actor, () => [right]);
  await requireAdministrator(change, () => deleteOwnRight(change, personId, right, effect));
  await recordAudit(change, actor, {
    action: effect === 'grant' ? 'person.take-back-grant' : 'person.take-back-denial',
    subject: personId,
    before: { right, expiresAt: before.expiresAt, reason: before.reason },
  });
}
