import { countRows } from '#server/platform/database/sql.ts';
import { sql } from 'kysely';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The last alert of a kind about an error; `kind` is `new`, `returned` or `rate`. */
    error_alert: {
      group_id: string;
      kind: string;
      raised_at: number;
      /** Null while the alert waits to be reported together with others. */
      sent_at: number | null;
    };
  }
}

export type AlertKind = 'new' | 'returned' | 'rate';

/** An error raises the same alert at most once in this time, milliseconds. */
export const sameAlertMs = 3_600_000;

/** Stores alerts of errors; returns the errors that have not raised the same alert within `sameAlertMs`. */
export async function raise(
  { tx, at }: Pick<Change, 'tx' | 'at'>,
  kind: AlertKind,
  groupIds: readonly string[],
): Promise<string[]> {
  if (groupIds.length === 0) return [];
  const rows = await tx
    .insertInto('error_alert')
    .values(groupIds.map((group_id) => ({ group_id, kind, raised_at: at, sent_at: null })))
    .onConflict((conflict) =>
      conflict
        .columns(['group_id', 'kind'])
        .doUpdateSet({ raised_at: at, sent_at: null })
        .where('error_alert.raised_at', '<=', at - sameAlertMs),
    )
    .returning('group_id')
    .execute();
  return rows.map(({ group_id: id }) => id);
}

/** How many alerts have been sent since a time. */
export function sentSince(read: Reader, since: number): Promise<number> {
  return countRows(read.selectFrom('error_alert').where('sent_at', '>', since));
}

export async function markSent(
  { tx, at }: Pick<Change, 'tx' | 'at'>,
  kind: AlertKind,
  groupIds: readonly string[],
): Promise<void> {
  if (groupIds.length === 0) return;
  await tx
    .updateTable('error_alert')
    .set({ sent_at: at })
    .where('kind', '=', kind)
    .where('group_id', 'in', groupIds)
    .execute();
}

/** The kinds of alerts that have been waiting since before a time. */
export async function overdueKinds(read: Reader, before: number): Promise<AlertKind[]> {
  const rows = await read
    .selectFrom('error_alert')
    .select('kind')
    .distinct()
    .where('sent_at', 'is', null)
    .where('raised_at', '<=', before)
    .execute();
  return rows.map(({ kind }) => kind as AlertKind);
}

/** Marks all waiting alerts of a kind as sent; returns their number, and the errors with the most events. */
export async function takeWaiting(
  { tx, at }: Pick<Change, 'tx' | 'at'>,
  kind: AlertKind,
  most: number,
): Promise<{ total: number; groupIds: string[] }> {
  const rows = await tx
    .updateTable('error_alert')
    .set({ sent_at: at })
    .where('kind', '=', kind)
    .where('sent_at', 'is', null)
    .returning('group_id')
    .execute();
  if (rows.length === 0) return { total: 0, groupIds: [] };
  const waiting = tx
    .selectFrom('error_alert')
    .select('group_id')
    .where('kind', '=', kind)
    .where('sent_at', '=', at);
  const loudest = await tx
    .selectFrom('error_group')
    .select('id')
    .where('id', 'in', waiting)
    .orderBy('events', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
  return { total: rows.length, groupIds: loudest.map(({ id }) => id) };
}

export type AlertedGroup = Tables['error_group'] & { projectName: string };

/** The errors that alerts are about, the most frequent first; those that are deleted or ignored are left out. */
export async function alertedGroups(read: Reader, ids: readonly string[]): Promise<AlertedGroup[]> {
  if (ids.length === 0) return [];
  return read
    .selectFrom('error_group')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'error_group.project_id')
    .selectAll('error_group')
    .select('diagnostic_project.name as projectName')
    .where('error_group.id', 'in', ids)
    .where('status', '=', 'open')
    .where('removed_at', 'is', null)
    .orderBy('events', 'desc')
    .orderBy('error_group.id')
    .execute();
}

/** Removes up to `most` alerts that were sent so long ago that they no longer suppress new ones. */
export async function removeOldAlerts(tx: Change['tx'], now: number, most: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('error_alert')
    .where(
      sql<string>`group_id || ' ' || kind`,
      'in',
      tx
        .selectFrom('error_alert')
        .select(sql<string>`group_id || ' ' || kind`.as('both'))
        .where('sent_at', '<=', now - 24 * sameAlertMs)
        .limit(most),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
