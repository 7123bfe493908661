import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';
import { fullName } from '#features/directory/server/people-names.ts';
import { holdsRight } from '#features/permissions/server/right-holders.ts';
import { readCatalogueRight } from '#features/permissions/server/rules.store.ts';

const mostNames = 3;

/** The label of a right, and the names of some people who can grant it, without their addresses. */
export async function describeRight(
  read: Reader,
  right: string,
  now: number,
): Promise<{ label: string; whom: string[] }> {
  const known = await readCatalogueRight(read, right);
  const people = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['profile.first_name', 'profile.last_name'])
    .where('person.blocked_at', 'is', null)
    .where(holdsRight(sql.ref<string>('person.id'), 'PEOPLE_WRITE', now))
    .orderBy('profile.name_key')
    .limit(mostNames)
    .execute();
  return {
    label: known === null || known.label === '' ? right : known.label,
    whom: people.map(fullName).filter((name) => name !== ''),
  };
}
