import type { ErasurePreview } from '#features/erasure/contract/erasure.ts';
import { sql } from 'kysely';
import type { Fates } from '#server/platform/database/schema.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { countRows } from '#server/platform/database/count-rows.ts';
import { contains } from '#server/platform/database/search-text.ts';
import { lastingManagers } from '#features/permissions/server/last-administrator.ts';
import { confirmationFor, countsOf } from './erase-person.ts';
import { addressesOf, readPerson } from './erasure.store.ts';
import { bytesAbout } from './person-data.ts';
import { readRetention } from './retention.store.ts';

/** What goes and what stays when a person is erased; null where there is no such person. */
export async function previewOf(
  read: Reader,
  fates: Fates,
  now: number,
  personId: string,
  callerId: string,
): Promise<ErasurePreview | null> {
  const person = await readPerson(read, personId);
  if (person === null) return null;
  const { erasedReports } = await readRetention(read);
  return {
    email: person.email,
    name: `${person.firstName} ${person.lastName}`.trim(),
    confirmation: confirmationFor(person, personId),
    ...(await countsOf(read, personId)),
    bytes: await bytesAbout(read, personId),
    sessions: await countRows(read.selectFrom('session').where('person_id', '=', personId)),
    apiTokens: await countRows(
      read.selectFrom('api_token').where('created_by', '=', personId).where('revoked_at', 'is', null),
    ),
    auditEntries: await countRows(
      read
        .selectFrom('audit')
        .where((row) => row.or([row('subject', '=', personId), row('actor_id', '=', personId)])),
    ),
    erasedReports,
    flags: await flagsNaming(read, fates.flag['free text'] ?? [], [
      personId,
      ...(await addressesOf(read, personId, person.email)),
    ]),
    hindrance:
      personId === callerId
        ? 'yourself'
        : (await isLastAdministrator(read, now, personId))
          ? 'last-administrator'
          : null,
  };
}

async function isLastAdministrator(read: Reader, now: number, personId: string): Promise<boolean> {
  const lasting = await lastingManagers(read, now, 2);
  return lasting.length === 1 && lasting[0] === personId;
}

async function flagsNaming(
  read: Reader,
  columns: readonly string[],
  words: readonly string[],
): Promise<string[]> {
  const text = sql<string>`lower(${sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )})`;
  const rows = await read
    .selectFrom('flag')
    .select('key')
    .where((row) => row.or(words.map((word) => contains(text, word.toLowerCase()))))
    .orderBy('key')
    .limit(100)
    .execute();
  return rows.map(({ key }) => key);
}
