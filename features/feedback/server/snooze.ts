import type { Kysely } from 'kysely';
import { reportInbox } from '#features/feedback/contract/inbox.ts';
import type { Core } from '#server/core.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/sql.ts';

export async function addSnooze({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('report').addColumn('snoozed_until', 'bigint').execute();
}

/** Ends the snooze of the reports whose time has come. */
export async function wakeReports({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  const due = await database.read
    .selectFrom('report')
    .select('id')
    .where('tab', '=', 'snoozed')
    .where('snoozed_until', '<=', now)
    .limit(1)
    .executeTakeFirst();
  if (due === undefined) return;
  await database.change(async (change) => {
    await change.tx
      .updateTable('report')
      .set({ tab: 'open', snoozed_until: null, changed_at: change.at, version: nextVersion })
      .where('tab', '=', 'snoozed')
      .where('snoozed_until', '<=', now)
      .execute();
    publishList(change, reportInbox);
  });
}
