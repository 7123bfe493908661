import type { ReportStatus } from '@portico/contract/feedback/own-reports';
import type { FullReport } from '@portico/contract/feedback/inbox';
import type { Change, Reader } from '../../platform/database/database.ts';
import { orNotFound } from '../../platform/http/refusals.ts';
import type { Caller } from '../../platform/http/access-check.ts';
import { versionedRows } from '../audit/versioned-rows.ts';
import { writeStatus } from './feedback.store.ts';
import { readReport } from './report-list.ts';

const reports = versionedRows({
  find: existing,
  audited: ({ status }) => ({ status }),
  stale: 'Somebody changed this report meanwhile. Look again, then repeat it.',
});

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
  const before = await reports.findAt(change, reportId, wanted.version);
  if (before.status === wanted.status) return before;
  await writeStatus(change, reportId, { before: before.status, after: wanted.status, actor });
  if (before.reporterId !== null) change.publish('reports', before.reporterId);
  return reports.recordWrite(change, actor, { action: 'report.status', subject: reportId, before });
}

async function existing(read: Reader, reportId: string): Promise<FullReport> {
  return orNotFound(await readReport(read, reportId), 'There is no such report.');
}
