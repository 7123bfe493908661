import { rightCatalogue } from '#contract/features.ts';
import { most, type CatalogueRight } from '#features/permissions/contract/administration.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { changedMeanwhile, HttpProblem, orNotFound, taken } from '#server/platform/http/http-problem.ts';
import { takeRightFromTokens } from '#features/api-tokens/server/api-tokens.store.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { requireAdministrator } from './last-administrator.ts';
import * as store from './rules.store.ts';
import { peopleWithRight, publishAffected } from './affected-people.ts';

type Versioned<T> = T & { version: number };

const catalogue = versionedRows({ find: ownRight, audited: textsOf, stale: changedMeanwhile });

export async function addRight(
  change: Change,
  actor: Actor,
  { right, ...texts }: store.RightTexts & { right: string },
): Promise<CatalogueRight> {
  if ((await store.readCatalogueRight(change.tx, right)) !== null)
    throw taken('/right', `There is a right ${right} already.`);
  if ((await store.countOwnCatalogue(change.tx)) + rightCatalogue.length >= most.rights)
    throw new HttpProblem('CONFLICT', { detail: `There can be ${most.rights} rights at most.` });
  await store.insertRight(change, right, texts);
  change.publish('right-rules');
  return catalogue.recordWrite(change, actor, { action: 'right.create', subject: right });
}

export async function changeRight(
  change: Change,
  actor: Actor,
  right: string,
  { version, ...texts }: Versioned<store.RightTexts>,
): Promise<CatalogueRight> {
  const before = await catalogue.findAt(change, right, version);
  await store.updateRight(change, right, texts);
  return catalogue.recordWrite(change, actor, { action: 'right.update', subject: right, before });
}

export async function removeRight(change: Change, actor: Actor, right: string): Promise<void> {
  const before = await ownRight(change.tx, right);
  const rules = await store.readRuleSet(change.tx);
  const roles = [...rules.roles].filter(([, rights]) => rights.includes(right)).map(([role]) => role);
  const granted = await change.tx
    .selectFrom('person_right')
    .select(['person_id', 'effect', 'expires_at', 'reason'])
    .where('right_name', '=', right)
    .orderBy('person_id')
    .execute();
  await publishAffected(change, [peopleWithRight(right, rules)]);
  await requireAdministrator(change, () => store.deleteRight(change, right));
  await takeRightFromTokens(change, right);
  await catalogue.recordRemoval(change, actor, {
    action: 'right.delete',
    subject: right,
    before,
    lost: {
      roles,
      people: granted.map(({ person_id, effect, expires_at, reason }) => ({
        personId: person_id,
        effect,
        expiresAt: expires_at,
        reason,
      })),
    },
  });
}

async function ownRight(read: Reader, right: string): Promise<CatalogueRight> {
  const found = orNotFound(await store.readCatalogueRight(read, right), 'There is no such right.');
  if (found.builtIn)
    throw new HttpProblem('CONFLICT', { detail: `${right} comes with Portico and cannot be changed.` });
  return found;
}

function textsOf({ label, description, area }: CatalogueRight): store.RightTexts {
  return { label, description, area };
}
