import { reportInbox } from '#features/feedback/contract/inbox.ts';
import { conversationLimits } from '#features/feedback/contract/messages.ts';
import type { Change } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { searchText } from '#server/platform/database/search-text.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { ReportActor } from './feedback.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** What is written about a report after it was sent. */
    report_message: {
      id: string;
      report_id: string;
      /** The client's own id, under which it is stored once. */
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

export type NewMessage = {
  reportId: string;
  /** The client's own id of it. */
  eventId: string;
  kind: 'reply' | 'note';
  side: 'reporter' | 'operator';
  text: string;
  author: ReportActor;
};

/**
 * Adds a message to a report that exists; answers its id and whether it is new. The same message that comes
 * again under its event id is stored once: changes run one after the other, so the second of two at once finds
 * the first. Throws EVENT_ID_USED for another one under that id, CONFLICT where the report has too many.
 */
export async function addMessage(
  change: Change,
  message: NewMessage,
): Promise<{ id: string; isNew: boolean }> {
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

/** Changes the text of a note. Throws NOT_FOUND, and RIGHT_MISSING unless the caller wrote it. */
export async function editNote(
  change: Change,
  note: { reportId: string; messageId: string; text: string; author: ReportActor },
): Promise<void> {
  const { tx, at } = change;
  await refuseOthersNote(change, note);
  await tx
    .updateTable('report_message')
    .set({ text: note.text, search_key: searchText(note.text), edited_at: at })
    .where('id', '=', note.messageId)
    .execute();
  await tx.updateTable('report').set({ changed_at: at }).where('id', '=', note.reportId).execute();
  publishList(change, reportInbox);
}

/** Removes a note. Throws NOT_FOUND, and RIGHT_MISSING unless the caller wrote it. */
export async function removeNote(
  change: Change,
  note: { reportId: string; messageId: string; author: ReportActor },
): Promise<void> {
  const { tx, at } = change;
  await refuseOthersNote(change, note);
  await tx.deleteFrom('report_message').where('id', '=', note.messageId).execute();
  await tx
    .updateTable('report')
    .set((row) => ({ changed_at: at, notes: row('notes', '-', 1) }))
    .where('id', '=', note.reportId)
    .execute();
  publishList(change, reportInbox);
}

async function refuseOthersNote(
  { tx }: Change,
  { reportId, messageId, author }: { reportId: string; messageId: string; author: ReportActor },
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
