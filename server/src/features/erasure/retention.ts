import type { Retention } from '@portico/contract/erasure';
import type { Clock } from '../../platform/time/clock.ts';
import type { Change, Database } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { recordAudit, type Actor } from '../audit/audit.store.ts';
import { sweepReports } from '../feedback/forget-reports.ts';
import { readRetention, writeRetention } from './retention.store.ts';

/** Changes how long reports are stored. */
export async function changeRetention(
  change: Change,
  actor: Actor,
  { version, ...wanted }: Retention,
): Promise<Retention> {
  const { version: known, ...before } = await readRetention(change.tx);
  if (known !== version) {
    throw new HttpProblem('VERSION_CONFLICT', {
      detail: 'Somebody changed this meanwhile. Look again, then repeat it.',
    });
  }
  if (before.reportDays === wanted.reportDays && before.erasedReports === wanted.erasedReports)
    return { ...before, version };
  await writeRetention(change, wanted, actor.name);
  await recordAudit(change, actor, { action: 'retention.set', subject: 'reports', before, after: wanted });
  return readRetention(change.tx);
}

const dayMs = 86_400_000;
const reportsAtOnce = 50;

const portico: Actor = { kind: 'start', id: null, name: 'Portico' };

/** Removes reports whose retention is over, some at a time; the audit records how many (BUG-10). */
export async function sweepOldReports({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): Promise<void> {
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
      // An operator may have given them more time meanwhile.
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
