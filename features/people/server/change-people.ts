import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ChangeOfPeople, changePeople } from '#features/people/contract/people.ts';
import type { Right } from '#features/permissions/contract/permissions.ts';
import type { AnswerOf, BodyOf } from '#contract/route.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import type { SignOutPerson } from '#features/session/server/sessions-of-people.ts';
import type { Administration } from './administration.ts';
import { readPerson } from './person-list.ts';

const needed: Right = 'PEOPLE_WRITE';

export type ChangePeopleParts = {
  database: Database;
  administration: Pick<Administration, 'setRoles' | 'setBlocked'>;
  signOut: SignOutPerson;
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
};

/**
 * Changes many people, each in a transaction of their own. People who cannot be changed, such as the last
 * person who can manage people, are reported; the others are changed nevertheless. The caller's right is
 * checked before each person, as with separate calls, since the caller may lose it in between.
 */
export async function changeMany(
  parts: ChangePeopleParts,
  caller: Caller,
  { people, wanted }: BodyOf<typeof changePeople>,
): Promise<AnswerOf<typeof changePeople>> {
  const refused: AnswerOf<typeof changePeople>['refused'] = [];
  let changed = 0;
  for (const personId of new Set(people)) {
    try {
      if (!(await parts.rightsOf(caller)).has(needed)) throw new HttpProblem('RIGHT_MISSING');
      if (await parts.database.change((change) => changeOne(parts, change, caller, personId, wanted)))
        changed += 1;
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      refused.push({ personId, code: error.code });
    }
    await yieldToEventLoop();
  }
  return { changed, refused };
}

/** @returns whether anything changed */
async function changeOne(
  { administration, signOut }: ChangePeopleParts,
  change: Change,
  caller: Caller,
  personId: string,
  wanted: ChangeOfPeople,
): Promise<boolean> {
  if (wanted.change === 'sign-out') return (await signOut(change, caller, personId)) > 0;
  const person = orNotFound(await readPerson(change.tx, personId), 'There is no such person.');
  const { version, roles } = person;
  if (wanted.change === 'block' || wanted.change === 'unblock') {
    const blocked = wanted.change === 'block';
    const after = await administration.setBlocked(change, caller, personId, { blocked, version });
    return after.version !== version;
  }
  const others = roles.filter((role) => role !== wanted.role);
  const after = await administration.setRoles(change, caller, personId, {
    roles: wanted.change === 'give-role' ? [...others, wanted.role] : others,
    version,
  });
  return after.version !== version;
}
