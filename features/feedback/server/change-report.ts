import type { changeReport, ReportBefore } from '#features/feedback/contract/change-reports.ts';
import { reportInbox } from '#features/feedback/contract/inbox.ts';
import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import type { BodyOf } from '#contract/route.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { HttpProblem, invalid, orNotFound, refuseStale } from '#server/platform/http/http-problem.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { addHistory, type ReportActor } from './feedback.store.ts';
import { refuseIdle } from '#features/permissions/server/assignees.ts';
import { labelsAfter, writeLabels } from './report-labels.ts';
import { labelsOf } from './report-parts.ts';
import type { ReportNotices } from './report-notices.ts';
import { tabOf } from './report-list.ts';

/** The values to set on a report; omitted fields stay as they are. */
export type Wanted = Omit<BodyOf<typeof changeReport>, 'version'>;

/** The fields of a stored report that changes read. */
export type StoredReport = ReportBefore & {
  id: string;
  number: number;
  reporterId: string | null;
  version: number;
};

/** Throws NOT_FOUND. */
export async function storedReport(read: Reader, reportId: string): Promise<StoredReport> {
  const found = await read
    .selectFrom('report')
    .select([
      'id',
      'number',
      'status',
      'assignee_id',
      'duplicate_of',
      'reporter_id',
      'snoozed_until',
      'version',
    ])
    .where('id', '=', reportId)
    .executeTakeFirst();
  const row = orNotFound(found, 'There is no such report.');
  return {
    id: row.id,
    number: row.number,
    status: reportStatus.parse(row.status),
    assigneeId: row.assignee_id,
    labels: (await labelsOf(read, [row])).get(row.id) ?? [],
    duplicateOf: row.duplicate_of,
    reporterId: row.reporter_id,
    snoozedUntil: row.snoozed_until,
    version: row.version,
  };
}

/** A report before and after a change. */
export type Changed = { report: StoredReport; before: StoredReport };

/**
 * An operator changes status, assignee, labels or the duplicate link of a report that they read at a version.
 * Each change is recorded in the report's history and in the audit (BUG-8, AUD-1), and the reporter is
 * notified of a new status (BUG-9). All checks are made before the first write. Throws NOT_FOUND,
 * VERSION_CONFLICT, CONFLICT, INVALID_BODY.
 */
export async function changeReportAt(
  change: Change,
  actor: Actor,
  { reportId, version, ...wanted }: Wanted & { reportId: string; version: number },
  notices: ReportNotices,
): Promise<Changed> {
  const before = await storedReport(change.tx, reportId);
  refuseStale(before, version, 'Somebody changed this report meanwhile. Look again, then repeat it.');
  return changeStored(change, actor, before, wanted, notices);
}

/** Like `changeReportAt`, but without a version: `before` is the report as it is stored now. */
export async function changeStored(
  change: Change,
  actor: Actor,
  before: StoredReport,
  wanted: Wanted,
  notices: ReportNotices,
): Promise<Changed> {
  const after = await decide(change, before, wanted);
  const changes = differences(before, after);
  if (changes.length === 0) return { report: before, before };
  const report = { ...after, version: await write(change, before, after) };
  for (const { what, from, to } of changes)
    await addHistory(change, before.id, { what, before: from, after: to, actor });
  if (before.duplicateOf === null && after.duplicateOf !== null)
    await redirectDuplicates(change, actor, before.id, after.duplicateOf);
  await audit(change, actor, before, after);
  publishList(change, reportInbox);
  if (before.status !== after.status) {
    if (before.reporterId !== null) change.publish('reports', before.reporterId);
    await notices.statusChanged(change, { ...report, before: before.status });
  }
  return { report, before };
}

/**
 * Reopens a done report, or ends the snooze of a report, because its reporter replied. Only the history records
 * this, since the audit is about operators.
 */
export async function reopen(
  change: Change,
  before: StoredReport,
  actor: ReportActor,
  notices: ReportNotices,
): Promise<void> {
  const isDone = tabOf(before) === 'done';
  if (!isDone && before.snoozedUntil === null) return;
  const after: StoredReport = isDone
    ? { ...before, status: 'triaged', duplicateOf: null }
    : { ...before, snoozedUntil: null };
  await write(change, before, after);
  for (const { what, from, to } of differences(before, after))
    await addHistory(change, before.id, { what, before: from, after: to, actor });
  if (!isDone) return;
  if (before.reporterId !== null) change.publish('reports', before.reporterId);
  await notices.statusChanged(change, { ...after, before: before.status });
}

async function decide(change: Change, before: StoredReport, wanted: Wanted): Promise<StoredReport> {
  const { status, duplicateOf } = await decideStatus(change.tx, before, wanted);
  const { assigneeId = before.assigneeId } = wanted;
  if (assigneeId !== null && assigneeId !== before.assigneeId)
    await refuseIdle(change.tx, 'REPORTS_WRITE', assigneeId, change.at);
  const labels = await labelsAfter(change.tx, before.labels, wanted);
  const { snoozedUntil = before.snoozedUntil } = wanted;
  const isOpen = tabOf({ status, snoozedUntil: null }) === 'open';
  return {
    ...before,
    status,
    duplicateOf,
    assigneeId,
    labels,
    snoozedUntil: isOpen && (snoozedUntil ?? 0) > change.at ? snoozedUntil : null,
  };
}

async function decideStatus(
  read: Reader,
  before: StoredReport,
  wanted: Wanted,
): Promise<Pick<StoredReport, 'status' | 'duplicateOf'>> {
  if (typeof wanted.duplicateOf === 'string') {
    if (wanted.status !== undefined && wanted.status !== 'duplicate')
      throw invalid('/status', 'contradictory', 'is not the status of a duplicate');
    return { status: 'duplicate', duplicateOf: await originalOf(read, before, wanted.duplicateOf) };
  }
  const {
    status = wanted.duplicateOf === null && before.status === 'duplicate' ? 'triaged' : before.status,
  } = wanted;
  const linked = status === 'duplicate' && wanted.duplicateOf === undefined;
  return { status, duplicateOf: linked ? before.duplicateOf : null };
}

/** The original of a report, or the report itself if it is no duplicate. */
async function originalOf(read: Reader, { id }: StoredReport, wanted: string): Promise<string> {
  const found = await read
    .selectFrom('report')
    .select(['id', 'duplicate_of'])
    .where('id', '=', wanted)
    .executeTakeFirst();
  if (found === undefined) throw invalid('/duplicateOf', 'unknown', 'is no report');
  const original = found.duplicate_of ?? found.id;
  if (original === id) {
    throw new HttpProblem('CONFLICT', {
      detail:
        found.id === id
          ? 'A report cannot be a duplicate of itself.'
          : 'That report is a duplicate of this one. Take that link away first.',
    });
  }
  return original;
}

type Difference = {
  what: 'status' | 'assignee' | 'labels' | 'duplicate' | 'snoozed';
  /** The values as the history stores them. */
  from: string;
  to: string;
};

function differences(before: StoredReport, after: StoredReport): Difference[] {
  const all: Difference[] = [
    { what: 'status', from: before.status, to: after.status },
    { what: 'assignee', from: before.assigneeId ?? '', to: after.assigneeId ?? '' },
    { what: 'labels', from: JSON.stringify(before.labels), to: JSON.stringify(after.labels) },
    { what: 'duplicate', from: before.duplicateOf ?? '', to: after.duplicateOf ?? '' },
    {
      what: 'snoozed',
      from: String(before.snoozedUntil ?? ''),
      to: String(after.snoozedUntil ?? ''),
    },
  ];
  return all.filter(({ from, to }) => from !== to);
}

/** Answers the new version. */
async function write(change: Change, before: StoredReport, after: StoredReport): Promise<number> {
  const { version } = await change.tx
    .updateTable('report')
    .set({
      status: after.status,
      tab: tabOf(after),
      snoozed_until: after.snoozedUntil,
      assignee_id: after.assigneeId,
      duplicate_of: after.duplicateOf,
      changed_at: change.at,
      ...(before.status === after.status ? {} : { told_at: change.at }),
      version: nextVersion,
    })
    .where('id', '=', before.id)
    .returning('version')
    .executeTakeFirstOrThrow();
  if (before.labels.join('\n') !== after.labels.join('\n'))
    await writeLabels(change, before.id, after.labels);
  return version;
}

/** When a report becomes a duplicate, its own duplicates become duplicates of its original. */
async function redirectDuplicates(
  change: Change,
  actor: Actor,
  reportId: string,
  original: string,
): Promise<void> {
  const redirected = await change.tx
    .updateTable('report')
    .set({ duplicate_of: original, changed_at: change.at, version: nextVersion })
    .where('duplicate_of', '=', reportId)
    .returning('id')
    .execute();
  for (const { id } of redirected)
    await addHistory(change, id, { what: 'duplicate', before: reportId, after: original, actor });
}

async function audit(change: Change, actor: Actor, before: StoredReport, after: StoredReport): Promise<void> {
  const record = async (
    action: 'report.duplicate' | 'report.status' | 'report.assign' | 'report.snooze' | 'report.label',
    facts: (report: StoredReport) => object | Promise<object>,
  ) => {
    const [from, to] = [await facts(before), await facts(after)];
    await recordAudit(change, actor, { action, subject: before.id, before: from, after: to });
  };
  if (before.duplicateOf !== after.duplicateOf)
    await record('report.duplicate', (report) => duplicateFacts(change.tx, report));
  else if (before.status !== after.status) await record('report.status', ({ status }) => ({ status }));
  if (before.assigneeId !== after.assigneeId)
    await record('report.assign', (report) => assigneeFacts(change.tx, report));
  if (before.snoozedUntil !== after.snoozedUntil)
    await record('report.snooze', ({ snoozedUntil: until }) => ({
      snoozedUntil: until === null ? null : new Date(until).toISOString(),
    }));
  if (before.labels.join('\n') !== after.labels.join('\n'))
    await record('report.label', ({ labels }) => ({ labels }));
}

async function assigneeFacts(read: Reader, { assigneeId }: StoredReport): Promise<object> {
  if (assigneeId === null) return { assignee: null };
  const row = await read.selectFrom('person').select('email').where('id', '=', assigneeId).executeTakeFirst();
  return { assignee: row?.email || `person ${assigneeId}` };
}

async function duplicateFacts(read: Reader, { status, duplicateOf }: StoredReport): Promise<object> {
  if (duplicateOf === null) return { status, duplicateOf: null };
  const row = await read
    .selectFrom('report')
    .select('number')
    .where('id', '=', duplicateOf)
    .executeTakeFirst();
  return { status, duplicateOf: row === undefined ? null : `#${row.number}` };
}
