import { maintenanceMode, severity } from '#features/maintenance/contract/maintenance.ts';
import { writtenText } from '#features/maintenance/contract/texts.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { authorOf, writtenBy } from '#features/directory/server/authors.ts';
import { invalid, refuseStale } from '#server/platform/http/http-problem.ts';
import type { MaintenanceState } from './maintenance-at.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row. */
    maintenance: {
      id: number;
      mode: string;
      text: string;
      /** JSON: the text by language. */
      texts: string;
      severity: string;
      expected_end: number | null;
      since: number | null;
      changed_at: number | null;
      changed_by: string | null;
      changed_by_id: string | null;
      version: number;
    };
  }
}

/** The one row of maintenance. */
export type StoredMaintenance = MaintenanceState & { changedBy: string | null; version: number };

export async function readMaintenance(db: Reader): Promise<StoredMaintenance> {
  const row = await db
    .selectFrom('maintenance')
    .selectAll()
    .select(authorOf('maintenance.changed_by').as('changedBy'))
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return {
    mode: maintenanceMode.parse(row.mode),
    text: row.text,
    texts: writtenText.parse(JSON.parse(row.texts)),
    severity: severity.parse(row.severity),
    expectedEnd: row.expected_end,
    since: row.since,
    changedAt: row.changed_at,
    changedBy: row.changedBy,
    version: row.version,
  };
}

/** When anything of maintenance was last written, on any replica; 0: never. */
export async function lastWritten(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('changed')
    .select('at')
    .where('topic', '=', 'maintenance')
    .orderBy('at', 'desc')
    .executeTakeFirst();
  return row?.at ?? 0;
}

export type MaintenanceDraft = Pick<
  StoredMaintenance,
  'mode' | 'text' | 'texts' | 'severity' | 'expectedEnd' | 'version'
>;

/**
 * Stores the switch and the notice; answers the row before and after.
 *
 * @throws VERSION_CONFLICT when they were changed since `draft.version` was read, INVALID_BODY for a new
 *   expected end that lies in the past (an unchanged one may have passed)
 */
export async function writeMaintenance(
  change: Change,
  draft: MaintenanceDraft,
  actor: Actor,
): Promise<{ before: StoredMaintenance; after: StoredMaintenance }> {
  const before = await readMaintenance(change.tx);
  const stale = `The version is ${before.version} now, not ${draft.version}: read it again before you change it.`;
  refuseStale(before, draft.version, stale);
  const endIsNew = draft.expectedEnd !== before.expectedEnd;
  if (draft.mode !== 'off' && draft.expectedEnd !== null && endIsNew && draft.expectedEnd <= change.at)
    throw invalid('/expectedEnd', 'past', 'lies in the past');
  const after: StoredMaintenance = {
    mode: draft.mode,
    text: draft.text,
    // An empty `text` removes the text in every language.
    texts: draft.text === '' ? {} : draft.texts,
    severity: draft.severity,
    expectedEnd: draft.mode === 'off' ? null : draft.expectedEnd,
    since: draft.mode === 'off' ? null : draft.mode === before.mode ? before.since : change.at,
    changedAt: change.at,
    changedBy: actor.name,
    version: before.version + 1,
  };
  await change.tx
    .updateTable('maintenance')
    .set({
      mode: after.mode,
      text: after.text,
      texts: JSON.stringify(after.texts),
      severity: after.severity,
      expected_end: after.expectedEnd,
      since: after.since,
      changed_at: after.changedAt,
      ...writtenBy('changed_by', actor),
      version: after.version,
    })
    .where('id', '=', 1)
    .execute();
  change.publish('maintenance');
  return { before, after };
}
