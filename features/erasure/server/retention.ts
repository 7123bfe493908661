import type { ErasedReports, Retention } from '#features/erasure/contract/erasure.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { changedMeanwhile } from '#server/platform/http/http-problem.ts';
import { type Actor, recordAudit } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { sweepReports } from '#features/feedback/server/erase-from-reports.ts';
import { nextVersion } from '#server/platform/database/sql.ts';

const retentions = versionedRows({
  find: readRetention,
  audited: ({ reportDays, erasedReports }) => ({ reportDays, erasedReports }),
  stale: changedMeanwhile,
});

/** Changes how long reports are stored. */
export async function changeRetention(
  change: Change,
  actor: Actor,
  { version, ...wanted }: Retention,
): Promise<Retention> {
  const before = await retentions.findAt(change, 'reports', version);
  if (before.reportDays === wanted.reportDays && before.erasedReports === wanted.erasedReports) return before;
  await writeRetention(change, wanted, actor.name);
  return retentions.recordWrite(change, actor, { action: 'retention.set', subject: 'reports', before });
}

const dayMs = 86_400_000;
const reportsAtOnce = 50;

const portico: Actor = { kind: 'start', id: null, name: 'Portico' };

/** Removes reports whose retention is over, some at a time; the audit records how many (BUG-10). */
export async function sweepOldReports({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  for (let found = reportsAtOnce; found === reportsAtOnce;) {
    const { reportDays } = await readRetention(database.read);
    if (reportDays === null) return;
    const before = clock.now() - reportDays * dayMs;
    const due = await database.read
      .selectFrom('report')
      .select('id')
      .where('created_at', '<', before)
      .limit(1)
      .execute();
    if (due.length === 0) return;
    found = await database.change(async (change) => {
      // An operator may have given them more time since.
      const { reportDays: days } = await readRetention(change.tx);
      if (days !== reportDays) return reportsAtOnce;
      const gone = await sweepReports(change, before, reportsAtOnce);
      if (gone.reports > 0) {
        await recordAudit(change, portico, {
          action: 'report.expire',
          subject: 'reports',
          after: { ...gone, reportDays },
        });
      }
      return gone.reports;
    });
  }
}

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
