import { normalizedAddress } from '#contract/email-address.ts';
import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';
import { contains, searchText } from '#server/platform/database/sql.ts';
import { invalid } from '#server/platform/http/http-problem.ts';
import { fullName } from '#features/directory/server/people-names.ts';
import type { Assignee } from '#features/people/contract/names.ts';
import { holdsRight } from './right-holders.ts';

// People to whom work can be assigned: those who hold a right now, and are not blocked.

function workers(read: Reader, right: string, now: number) {
  return read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .where('person.blocked_at', 'is', null)
    .where(holdsRight(sql.ref<string>('person.id'), right, now));
}

/** Up to `limit` people who hold a right, by name. */
export async function listAssignees(
  longReads: Reader,
  right: string,
  { search, limit }: { search: string; limit: number },
  now: number,
): Promise<{ id: string; name: string; email: string }[]> {
  let query = workers(longReads, right, now);
  for (const word of search.split(/\s+/).filter((each) => each !== '')) {
    query = query.where((row) =>
      row.or([
        contains(row.ref('profile.name_key'), searchText(word)),
        contains(row.ref('person.email'), normalizedAddress(word)),
      ]),
    );
  }
  const rows = await query
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
    .orderBy('profile.name_key')
    .orderBy('person.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, name: fullName(row) || row.email, email: row.email }));
}

/** Throws INVALID_BODY where a person does not hold the right of the work. */
export async function refuseIdle(read: Reader, right: string, personId: string, now: number): Promise<void> {
  const found = await workers(read, right, now)
    .select('person.id')
    .where('person.id', '=', personId)
    .executeTakeFirst();
  if (found === undefined) throw invalid('/assigneeId', 'unsuited', 'is nobody who may do this work');
}

/**
 * People to whom something is assigned, by their ids, also those who do not hold its right any more.
 *
 * @param now milliseconds, at which they hold the right or not
 */
export async function assigneesOf(
  read: Reader,
  right: string,
  rows: readonly { assignee_id: string | null }[],
  now: number,
): Promise<Map<string, Assignee>> {
  const ids = [...new Set(rows.flatMap(({ assignee_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const people = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name', 'person.blocked_at'])
    .select(
      sql<number>`case when ${holdsRight(sql.ref<string>('person.id'), right, now)} then 1 else 0 end`.as(
        'holds',
      ),
    )
    .where('person.id', 'in', ids)
    .execute();
  return new Map(
    people.map((row) => [
      row.id,
      {
        id: row.id,
        name: fullName(row) || row.email,
        active: row.blocked_at === null && row.holds === 1,
      },
    ]),
  );
}
