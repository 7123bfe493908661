import type { ReportStatus } from '@portico/contract/feedback/own-reports';
import type { FullReport } from '@portico/contract/feedback/inbox';
import type { Change } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Caller } from '../../platform/http/access-check.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { writeStatus } from './feedback.store.ts';
import { readReport } from './report-list.ts';

/**
 * An operator gives a report another status; its history and the audit record it (BUG-8, AUD-1), and its
 * reporter is notified (BUG-9). Setting the same status again changes nothing. Throws NOT_FOUND,
 * VERSION_CONFLICT.
 */
export async function changeStatus(
  change: Change,
  actor: Caller,
  reportId: string,
  wanted: { status: ReportStatus; version: number },
): Promise<FullReport> {
  const report = await existing(change, reportId);
  if (report.version !== wanted.version) {
    throw new HttpProblem('VERSION_CONFLICT', {
      detail: 'Somebody changed this report meanwhile. Look again, then repeat it.',
    });
  }
  if (report.status === wanted.status) return report;
  await writeStatus(change, reportId, { before: report.status, after: wanted.status, actor });
  if (report.reporterId !== null) change.publish('reports', report.reporterId);
  await recordAudit(change, actor, {
    action: 'report.status',
    subject: reportId,
    before: { status: report.status },
    after: { status: wanted.status },
  });
  return existing(change, reportId);
}

async function existing(change: Change, reportId: string): Promise<FullReport> {
  const report = await readReport(change.tx, reportId);
  if (report === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such report.' });
  return report;
}
