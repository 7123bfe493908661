import type { ErasedReports, Retention } from '#features/erasure/contract/erasure.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row; how long reports are stored. */
    retention: {
      id: number;
      /** Null: for good. */
      report_days: number | null;
      /** `keep` or `remove`: reports of people who are erased. */
      erased_reports: string;
      changed_at: number | null;
      changed_by: string | null;
      version: number;
    };
  }
}

/** How long reports are stored, and what becomes of those of erased people. */
export async function readRetention(read: Reader): Promise<Retention> {
  const row = await read
    .selectFrom('retention')
    .select(['report_days', 'erased_reports', 'version'])
    .executeTakeFirstOrThrow();
  return {
    reportDays: row.report_days,
    erasedReports: row.erased_reports as ErasedReports,
    version: row.version,
  };
}

export async function writeRetention(
  change: Change,
  wanted: Omit<Retention, 'version'>,
  changedBy: string,
): Promise<void> {
  await change.tx
    .updateTable('retention')
    .set({
      report_days: wanted.reportDays,
      erased_reports: wanted.erasedReports,
      changed_at: change.at,
      changed_by: changedBy,
      version: nextVersion,
    })
    .execute();
}
