import type { Change } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { removeReports } from './erase-from-reports.ts';

/**
 * An operator deletes one report of any sender, with its pictures and history. The audit records which one it
 * was and nothing of its content (AUD-1), and it leaves its reporter's list. Throws NOT_FOUND.
 */
export async function deleteReport(change: Change, actor: Caller, reportId: string): Promise<void> {
  const row = await change.tx
    .selectFrom('report')
    .select(['number', 'status', 'reporter_id', 'created_at'])
    .where('id', '=', reportId)
    .executeTakeFirst();
  const report = orNotFound(row, 'There is no such report.');
  const pictures = await removeReports(change, [reportId]);
  if (report.reporter_id !== null) change.publish('reports-gone', report.reporter_id);
  await recordAudit(change, actor, {
    action: 'report.delete',
    subject: reportId,
    before: { number: report.number, status: report.status, createdAt: report.created_at, pictures },
  });
}
