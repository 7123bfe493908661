import type { Change } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Caller } from '../../platform/http/serve.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { removeReports } from './forget-reports.ts';

/**
 * An operator deletes one report, whoever sent it, with its pictures and its history. The audit records which one it was and nothing
 * of what it said (AUD-1), and the list of its reporter loses it. Throws NOT_FOUND.
 */
export async function deleteReport(change: Change, actor: Caller, reportId: string): Promise<void> {
  const report = await change.tx
    .selectFrom('report')
    .select(['number', 'status', 'reporter_id', 'created_at'])
    .where('id', '=', reportId)
    .executeTakeFirst();
  if (report === undefined) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such report.' });
  const pictures = await removeReports(change, [reportId]);
  if (report.reporter_id !== null) change.publish('reports-gone', report.reporter_id);
  await recordAudit(change, actor, {
    action: 'report.delete',
    subject: reportId,
    before: { number: report.number, status: report.status, createdAt: report.created_at, pictures },
  });
}
