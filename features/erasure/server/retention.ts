import type { Retention } from '#features/erasure/contract/erasure.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { changedMeanwhile } from '#server/platform/http/refusals.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { sweepReports } from '#features/feedback/server/erase-from-reports.ts';
import { readRetention, writeRetention } from './retention.store.ts';

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
