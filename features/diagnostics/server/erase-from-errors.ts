import { countRows, nextVersion } from '#server/platform/database/sql.ts';
import type { Change, Database, Reader } from '#server/platform/database/database.ts';
import { readSettings } from './settings.store.ts';

/** Rows that one transaction changes. */
const atOnce = 100;

/**
 * Removes a person from errors: their events lose the person's hash and all attached data, the lists of
 * affected people lose them, and alerts are no longer mailed to their addresses. Counts stay (BUG-10).
 *
 * @param hashes of the person's id and of addresses that no other person has
 */
export async function erasePersonFromErrors(
  database: Database,
  hashes: readonly string[],
  emails: readonly string[],
): Promise<void> {
  if (hashes.length > 0) {
    for (let found = atOnce; found === atOnce;)
      found = await database.change((change) => eraseFromEvents(change, hashes));
    // There is no index by person: the table is searched outside the event loop, and rows are removed by error.
    const rows = await database.longReads
      .selectFrom('error_person')
      .select(['group_id', 'person_hash'])
      .where('person_hash', 'in', hashes)
      .execute();
    for (let start = 0; start < rows.length; start += atOnce) {
      const some = rows.slice(start, start + atOnce);
      await database.transaction(async (tx) => {
        for (const { group_id: group, person_hash: person } of some)
          await tx
            .deleteFrom('error_person')
            .where('group_id', '=', group)
            .where('person_hash', '=', person)
            .execute();
      });
    }
  }
  await database.change((change) => removeAddresses(change, emails));
}

async function eraseFromEvents({ tx }: Pick<Change, 'tx'>, hashes: readonly string[]): Promise<number> {
  const rows = await tx
    .selectFrom('error_event')
    .select('n')
    .where('person_hash', 'in', hashes)
    .limit(atOnce)
    .execute();
  const numbers = rows.map(({ n }) => n);
  if (numbers.length === 0) return 0;
  await tx.deleteFrom('error_sample').where('n', 'in', numbers).execute();
  await tx.updateTable('error_event').set({ person_hash: null }).where('n', 'in', numbers).execute();
  return numbers.length;
}

async function removeAddresses(change: Change, emails: readonly string[]): Promise<void> {
  const { alertMails } = await readSettings(change.tx);
  const others = alertMails.filter((address) => !emails.includes(address));
  if (others.length === alertMails.length) return;
  await change.tx
    .updateTable('diagnostic_settings')
    .set({ alert_mails: JSON.stringify(others), version: nextVersion })
    .execute();
  change.publish('diagnostics');
}

/** How many stored events name a person, by hashes of their id and addresses. */
export async function countEventsOf(read: Reader, hashes: readonly string[]): Promise<number> {
  if (hashes.length === 0) return 0;
  return countRows(read.selectFrom('error_event').where('person_hash', 'in', hashes));
}
