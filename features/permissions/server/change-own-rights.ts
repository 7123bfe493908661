import { most, type OwnEffect, type OwnRight } from '#features/permissions/contract/administration.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { invalid, orNotFound } from '#server/platform/http/refusals.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { isBuiltInRight } from './decide-rights.ts';
import { requireGivable } from './given-by-token.ts';
import { requireAdministrator } from './last-administrator.ts';
import {
  countOwnRights,
  deleteOwnRight,
  readFacts,
  readOwnRight,
  writeOwnRight,
} from './permissions.store.ts';
import { readCatalogueRight } from './rules.store.ts';

/** Grants or denies a person a right; the same again changes when it ends and why. */
export async function setOwnRight(
  change: Change,
  actor: Actor,
  personId: string,
  own: { right: string; effect: OwnEffect; expiresAt: number | null; reason: string },
): Promise<OwnRight> {
  const { right, effect, expiresAt, reason } = own;
  orNotFound((await readFacts(change.tx, [personId])).get(personId), 'There is no such person.');
  if (!isBuiltInRight(right))
    orNotFound(await readCatalogueRight(change.tx, right), 'There is no such right.');
  if (expiresAt !== null && expiresAt <= change.at) throw invalid('/expiresAt', 'past', 'is over already');
  const before = await readOwnRight(change.tx, personId, right, effect);
  if (before === null && (await countOwnRights(change.tx, personId)) >= most.ownRightsOfPerson) {
    throw new HttpProblem('CONFLICT', {
      detail: `A person can have ${most.ownRightsOfPerson} grants and denials at most. Make a role.`,
    });
  }
  // A denial that ends sooner gives the right back.
  if (effect === 'grant' || before !== null) await requireGivable(change, actor, () => [right]);
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

export async function removeOwnRight(
  change: Change,
  actor: Actor,
  personId: string,
  right: string,
  effect: OwnEffect,
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
