import type { Right } from '#features/permissions/contract/permissions.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { apiTokenById } from '#features/api-tokens/server/api-tokens.store.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { decideRights, effectiveRights, prepareRules, type Rules } from './decide-rights.ts';
import { readFacts } from './permissions.store.ts';
import { readRuleSet } from './rules.store.ts';

/** The right by which a person may give themselves every other one (docs/decisions/0006). */
const managing: Right = 'PEOPLE_WRITE';

/**
 * Checks what an API token is about to give: it gives only rights that it holds, and the right to manage people only
 * if it holds all rights of the catalogue (docs/decisions/0006). Other actors may give anything.
 *
 * @param given picks the rights out of the rules
 * @throws RIGHT_MISSING
 */
export async function requireGivable(
  change: Change,
  actor: Actor,
  given: (rules: Rules) => Iterable<string>,
): Promise<void> {
  if (actor.kind !== 'token') return;
  const rules = prepareRules(await readRuleSet(change.tx));
  const rights = new Set(given(rules));
  const held = await rightsOfToken(change, actor.id, rules);
  const lacking = [...(rights.has(managing) ? rules.catalogue : rights)].find((right) => !held.has(right));
  if (lacking === undefined) return;
  const reason = rights.has(lacking) ? '' : ` Who holds ${managing} may give themselves every right.`;
  throw new HttpProblem('RIGHT_MISSING', {
    detail: `An API token gives only rights that it holds, and this one lacks ${lacking}.${reason}`,
  });
}

/** Like `requireGivable`, for all rights that a person has or may regain: also those denied, or lost by a block. */
export async function requireGivableAgain(change: Change, actor: Actor, personId: string): Promise<void> {
  const facts = (await readFacts(change.tx, [personId])).get(personId);
  if (facts === undefined) return;
  const grants = facts.own.filter(({ effect }) => effect === 'grant');
  await requireGivable(change, actor, (rules) =>
    effectiveRights({ ...facts, blocked: false, own: grants }, rules),
  );
}

/** Like `requireGivable`, for the rights of those wanted roles that are not among the roles `before`. */
export function requireRolesGivable(
  change: Change,
  actor: Actor,
  wanted: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  const added = wanted.filter((role) => !before.includes(role));
  return requireGivable(change, actor, (rules) => added.flatMap(rules.rightsOf));
}

async function rightsOfToken(change: Change, id: string, rules: Rules): Promise<ReadonlySet<string>> {
  const token = await apiTokenById(change.tx, id);
  if (token === null) return new Set();
  const { rights, createdBy } = token;
  if (createdBy === null) return rights;
  const creator = (await readFacts(change.tx, [createdBy])).get(createdBy);
  const held = creator === undefined ? [] : decideRights(creator, rules, change.at).rights;
  return new Set(held.filter((right) => rights.has(right)));
}
