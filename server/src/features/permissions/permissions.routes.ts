import { getPermissions } from '@portico/contract/permissions';
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
} from '@portico/contract/rights-administration';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database.ts';
import { namesEtag } from '../../platform/etag.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import { explainRights, prepareRules, type PersonFacts } from './decide-rights.ts';
import { withGiversNamed } from './givers.ts';
import type { Permissions } from './permissions.ts';
import { readFacts } from './permissions.store.ts';
import type { RightsAdministration } from './rights-administration.ts';
import { readCatalogue, readGroups, readMappings, readRoles, readRuleSet } from './rules.store.ts';
import { previewOf } from './touched-people.ts';

export type PermissionsRoutesOptions = {
  database: Database;
  clock: Clock;
  permissions: Pick<Permissions, 'ofPerson'>;
  administration: RightsAdministration;
  /** Ids of some people who can manage people for good. */
  lastingManagers(read: Reader, now: number, limit: number): Promise<string[]>;
};

/** How many groups are suggested. */
const mostGroups = 50;
const mostManagers = 10_000;

export function permissionsRoutes(serve: Serve, options: PermissionsRoutesOptions): void {
  const { database, clock, permissions, administration } = options;

  serve(getPermissions, async ({ params, request, reply }) => {
    const rights = await permissions.ofPerson(params.userId);
    if (rights === null) throw noSuchPerson();
    reply.headers({ etag: rights.etag, 'cache-control': 'private, no-cache' });
    if (namesEtag(request.headers['if-none-match'], rights.etag)) reply.code(304);
    return [...rights.sorted];
  });

  serve(listRights, async () => ({ rights: await readCatalogue(database.read), most: most.rights }));
  serve(addRight, ({ body, caller }) =>
    database.change((change) => administration.addRight(change, caller, body)),
  );
  serve(changeRight, ({ params, body, caller }) =>
    database.change((change) => administration.changeRight(change, caller, params.right, body)),
  );
  serve(removeRight, ({ params, caller }) =>
    database.change((change) => administration.removeRight(change, caller, params.right)),
  );

  serve(listRoles, async () => ({ roles: await readRoles(database.read), most: most.roles }));
  serve(addRole, ({ body, caller }) =>
    database.change((change) => administration.addRole(change, caller, body)),
  );
  serve(changeRole, ({ params, body, caller }) =>
    database.change((change) => administration.changeRole(change, caller, params.role, body)),
  );
  serve(removeRole, ({ params, caller }) =>
    database.change((change) => administration.removeRole(change, caller, params.role)),
  );

  serve(listGroupMappings, async () => ({
    mappings: await readMappings(database.read),
    most: most.mappings,
  }));
  serve(addGroupMapping, ({ body, caller }) =>
    database.change((change) => administration.addMapping(change, caller, body)),
  );
  serve(changeGroupMapping, ({ params, body, caller }) =>
    database.change((change) => administration.changeMapping(change, caller, params.mappingId, body)),
  );
  serve(removeGroupMapping, ({ params, caller }) =>
    database.change((change) => administration.removeMapping(change, caller, params.mappingId)),
  );
  serve(listGroups, async ({ query }) => ({ groups: await readGroups(database.read, query, mostGroups) }));

  serve(previewChange, ({ body }) => {
    const now = clock.now();
    return previewOf(database.read, body, now, () =>
      options.lastingManagers(database.read, now, mostManagers),
    );
  });

  serve(whyHasRight, async ({ params }) => {
    const { facts, rules } = await readPerson(database.read, params.personId);
    const why = explainRights(facts, rules, clock.now()).find(({ right }) => right === params.right);
    if (why === undefined) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such right.' });
    return why;
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
      administration.setOwnRight(change, caller, params.personId, {
        right: params.right,
        effect: params.effect,
        ...body,
      }),
    ),
  );
  serve(removeOwnRight, ({ params, caller }) =>
    database.change((change) =>
      administration.removeOwnRight(change, caller, params.personId, params.right, params.effect),
    ),
  );
}

async function readPerson(
  read: Reader,
  personId: string,
): Promise<{ facts: PersonFacts; rules: ReturnType<typeof prepareRules> }> {
  const facts = (await readFacts(read, [personId])).get(personId);
  if (facts === undefined) throw noSuchPerson();
  return { facts: await withGiversNamed(read, facts), rules: prepareRules(await readRuleSet(read)) };
}

function noSuchPerson(): HttpProblem {
  return new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
}
