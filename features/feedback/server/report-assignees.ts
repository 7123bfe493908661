import { normalizedAddress } from '#contract/email-address.ts';
import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';
import { contains, searchText } from '#server/platform/database/search-text.ts';
import { invalid } from '#server/platform/http/refusals.ts';
import { fullName } from '#features/directory/server/people-names.ts';
import { holdsRight } from '#features/permissions/server/right-holders.ts';

/** People who may change reports now, and are not blocked. */
function workers(read: Reader, now: number) {
  return read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .where('person.blocked_at', 'is', null)
    .where(holdsRight(sql.ref<string>('person.id'), 'REPORTS_WRITE', now));
}

/** Up to `limit` people to whom reports can be assigned, by name. */
export async function listAssignees(
  longReads: Reader,
  { search, limit }: { search: string; limit: number },
  now: number,
): Promise<{ id: string; name: string; email: string }[]> {
  let query = workers(longReads, now);
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

/** Throws INVALID_BODY where a person cannot be given a report to work on. */
export async function refuseIdle(read: Reader, personId: string, now: number): Promise<void> {
  const found = await workers(read, now)
    .select('person.id')
    .where('person.id', '=', personId)
    .executeTakeFirst();
  if (found === undefined) throw invalid('/assigneeId', 'unsuited', 'is nobody who may change reports');
}
