import type { replyToOwnReport, replyToReport } from '#features/feedback/contract/conversation.ts';
import { conversationLimits } from '#features/feedback/contract/messages.ts';
import { reportInbox } from '#features/feedback/contract/inbox.ts';
import type { BodyOf } from '#contract/route.ts';
import type { Change } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { searchText } from '#server/platform/database/sql.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { changeStored, reopen, storedReport } from './change-report.ts';
import type { ReportActor } from './feedback.store.ts';
import type { ReportNotices } from './report-notices.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** The replies and notes about a report. */
    report_message: {
      id: string;
      report_id: string;
      /** The client's own id of the message, under which the message is stored once. */
      event_id: string;
      /** `reply` or `note` */
      kind: string;
      /** `reporter` or `operator` */
      side: string;
      text: string;
      search_key: string;
      at: number;
      edited_at: number | null;
      author_kind: string;
      author_id: string | null;
      author_name: string;
    };
  }
}

type NewMessage = {
  reportId: string;
  /** The client's own id of the message. */
  eventId: string;
  kind: 'reply' | 'note';
  side: 'reporter' | 'operator';
  text: string;
  author: ReportActor;
};

type NoteAt = { reportId: string; messageId: string };

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
  const { id, isNew } = await addMessage(change, message);
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
 * A person replies to the operators about their own report; the reply reopens a report that was done (BUG-9).
 * Throws NOT_FOUND if the report is another person's.
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
  const { id, isNew } = await addMessage(change, message);
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
  const { isNew } = await addMessage(change, message);
  if (isNew) await auditNote(change, actor, reportId, 'report.note', text);
}

/** Changes a note. Throws NOT_FOUND, and RIGHT_MISSING unless the caller wrote it. */
export async function editNote(change: Change, actor: Caller, note: NoteAt, text: string): Promise<void> {
  const { tx, at } = change;
  await refuseOthersNote(change, actor, note);
  await tx
    .updateTable('report_message')
    .set({ text, search_key: searchText(text), edited_at: at })
    .where('id', '=', note.messageId)
    .execute();
  await tx.updateTable('report').set({ changed_at: at }).where('id', '=', note.reportId).execute();
  publishList(change, reportInbox);
  await auditNote(change, actor, note.reportId, 'report.edit-note', text);
}

/** Removes a note. Throws NOT_FOUND, and RIGHT_MISSING unless the caller wrote it. */
export async function removeNote(change: Change, actor: Caller, note: NoteAt): Promise<void> {
  const { tx, at } = change;
  await refuseOthersNote(change, actor, note);
  await tx.deleteFrom('report_message').where('id', '=', note.messageId).execute();
  await tx
    .updateTable('report')
    .set((row) => ({ changed_at: at, notes: row('notes', '-', 1) }))
    .where('id', '=', note.reportId)
    .execute();
  publishList(change, reportInbox);
  await recordAudit(change, actor, { action: 'report.remove-note', subject: note.reportId });
}

/** The audit records the length of a note, not its text, which is deleted with the report. */
function auditNote(
  change: Change,
  actor: Caller,
  reportId: string,
  action: 'report.note' | 'report.edit-note',
  text: string,
): Promise<void> {
  return recordAudit(change, actor, { action, subject: reportId, after: { characters: text.length } });
}

/**
 * Adds a message to a report that exists; returns its id and whether it is new. A message that is sent twice
 * under its event id is stored once: changes run one after the other, so the second finds the first. Throws
 * EVENT_ID_USED for another message under that id, CONFLICT if the report has too many messages.
 */
async function addMessage(change: Change, message: NewMessage): Promise<{ id: string; isNew: boolean }> {
  const { tx, at } = change;
  const { reportId, eventId, kind, side, text, author } = message;
  const known = await tx
    .selectFrom('report_message')
    .select(['id', 'kind', 'side', 'text', 'author_id'])
    .where('report_id', '=', reportId)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  if (known !== undefined) {
    // A note may have been edited since.
    const same = known.kind === kind && known.side === side && known.author_id === author.id;
    if (same && (known.text === text || kind === 'note')) return { id: known.id, isNew: false };
    throw new HttpProblem('EVENT_ID_USED', {
      detail: 'Another message was stored under this event id. Send it under a new one.',
    });
  }
  const { replies, notes } = await tx
    .selectFrom('report')
    .select(['replies', 'notes'])
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  if (replies + notes >= conversationLimits.messages) {
    throw new HttpProblem('CONFLICT', {
      detail: `A report has at most ${conversationLimits.messages} messages. Begin a new report.`,
    });
  }
  const id = newId();
  await tx
    .insertInto('report_message')
    .values({
      id,
      report_id: reportId,
      event_id: eventId,
      kind,
      side,
      text,
      search_key: searchText(text),
      at,
      edited_at: null,
      author_kind: author.kind,
      author_id: author.id,
      author_name: author.name,
    })
    .execute();
  await tx
    .updateTable('report')
    .set((row) => ({
      changed_at: at,
      ...(kind === 'note'
        ? { notes: row('notes', '+', 1) }
        : { replies: row('replies', '+', 1), last_word: side, told_at: at }),
    }))
    .where('id', '=', reportId)
    .execute();
  publishList(change, reportInbox);
  return { id, isNew: true };
}

async function refuseOthersNote(
  { tx }: Change,
  author: Caller,
  { reportId, messageId }: NoteAt,
): Promise<void> {
  const found = await tx
    .selectFrom('report_message')
    .select(['author_kind', 'author_id'])
    .where('id', '=', messageId)
    .where('report_id', '=', reportId)
    .where('kind', '=', 'note')
    .executeTakeFirst();
  const note = orNotFound(found, 'There is no such note.');
  if (note.author_kind !== author.kind || note.author_id !== author.id)
    throw new HttpProblem('RIGHT_MISSING', { detail: 'Only who wrote a note may change it.' });
}
