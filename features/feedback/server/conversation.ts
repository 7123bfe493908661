import type { replyToReport } from '#features/feedback/contract/conversation.ts';
import type { replyToOwnReport } from '#features/feedback/contract/own-conversation.ts';
import type { BodyOf } from '#contract/route.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { changeStored, reopen, storedReport } from './change-report.ts';
import * as messages from './messages.store.ts';
import type { ReportNotices } from './report-notices.ts';

/**
 * An operator replies to the reporter, who reads it under My reports and by mail, and may set a status
 * (BUG-9). The audit records the reply without its text, which is deleted with the report (AUD-1). Throws
 * NOT_FOUND, EVENT_ID_USED, CONFLICT.
 */
export async function reply(
  change: Change,
  actor: Caller,
  reportId: string,
  { text, eventId, status }: BodyOf<typeof replyToReport>,
  notices: ReportNotices,
): Promise<void> {
  const report = await storedReport(change.tx, reportId);
  const message = { reportId, eventId, kind: 'reply', side: 'operator', text, author: actor } as const;
  const { id, isNew } = await messages.addMessage(change, message);
  if (!isNew) return;
  await recordAudit(change, actor, {
    action: 'report.reply',
    subject: reportId,
    after: { characters: text.length },
  });
  if (report.reporterId !== null) change.publish('reports', report.reporterId);
  await notices.replied(change, { ...message, id, report });
  if (status !== undefined) await changeStored(change, actor, report, { status }, notices);
}

/**
 * A person replies to the operators about their own report, which opens it again where it was settled (BUG-9).
 * Throws NOT_FOUND where it is another's.
 */
export async function replyToOwn(
  change: Change,
  caller: Caller,
  reportId: string,
  { text, eventId }: BodyOf<typeof replyToOwnReport>,
  notices: ReportNotices,
): Promise<void> {
  const report = await storedReport(change.tx, reportId);
  const isOwn = caller.kind === 'person' && caller.id === report.reporterId;
  orNotFound(isOwn ? report : null, 'There is no such report.');
  const message = { reportId, eventId, kind: 'reply', side: 'reporter', text, author: caller } as const;
  const { id, isNew } = await messages.addMessage(change, message);
  if (!isNew) return;
  await notices.replied(change, { ...message, id, report });
  await reopen(change, report, caller, notices);
}

/** Adds an internal note. Throws NOT_FOUND, EVENT_ID_USED, CONFLICT. */
export async function addNote(
  change: Change,
  actor: Caller,
  reportId: string,
  { text, eventId }: { text: string; eventId: string },
): Promise<void> {
  await storedReport(change.tx, reportId);
  const message = { reportId, eventId, kind: 'note', side: 'operator', text, author: actor } as const;
  const { isNew } = await messages.addMessage(change, message);
  if (isNew) await auditNote(change, actor, reportId, 'report.note', text);
}

/** Changes a note. Throws NOT_FOUND, RIGHT_MISSING. */
export async function editNote(
  change: Change,
  actor: Caller,
  at: { reportId: string; messageId: string },
  text: string,
): Promise<void> {
  await messages.editNote(change, { ...at, text, author: actor });
  await auditNote(change, actor, at.reportId, 'report.edit-note', text);
}

/** Removes a note. Throws NOT_FOUND, RIGHT_MISSING. */
export async function removeNote(
  change: Change,
  actor: Caller,
  at: { reportId: string; messageId: string },
): Promise<void> {
  await messages.removeNote(change, { ...at, author: actor });
  await recordAudit(change, actor, { action: 'report.remove-note', subject: at.reportId });
}

/** The audit has no text of a note, which goes with its report. */
function auditNote(
  change: Change,
  actor: Caller,
  reportId: string,
  action: 'report.note' | 'report.edit-note',
  text: string,
): Promise<void> {
  return recordAudit(change, actor, { action, subject: reportId, after: { characters: text.length } });
}
