import type { AccessSource, OwnAccess } from '#features/permissions/contract/own-access.ts';
import type { RightSource } from '#features/permissions/contract/administration.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { explainRights, isBuiltInRole, prepareRules } from './decide-rights.ts';
import { readFacts } from './permissions.store.ts';
import { readCatalogue, readRuleSet, roleNamesOf } from './rules.store.ts';

/**
 * What a person may do and why, for themselves (RIGHT-4): without the names of operators and the reasons that
 * they wrote down for each other. Rights that nothing gives them are left out.
 */
export async function ownAccessOf(read: Reader, personId: string, now: number): Promise<OwnAccess> {
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
