import { reportInbox } from '#features/feedback/contract/inbox.ts';
import type { Change } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion, searchText } from '#server/platform/database/sql.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { replaceWords } from '#features/audit/server/erase-texts.ts';
import { isShown, removeFile } from '#features/files/server/files.store.ts';
import { storeHighestNumber, reportSearchKey } from './feedback.store.ts';

/** The person to remove from reports, and the pseudonym that replaces them. */
export type ErasedReporter = {
  personId: string;
  /** Addresses that no other person has, each in lower case too. */
  emails: readonly string[];
  fullName: string;
  pseudonym: string;
};

/**
 * Removes a person from up to `most` reports: their own, and those with their address (BUG-10).
 *
 * @param fate `keep`: their own reports stay, without name, address and pictures; `remove`: they are deleted
 * @returns how many reports were found; 0 once no report names the person any more
 */
export async function erasePersonFromReports(
  change: Change,
  reporter: ErasedReporter,
  { fate, most }: { fate: 'keep' | 'remove'; most: number },
): Promise<number> {
  const { personId, emails, pseudonym } = reporter;
  const found = await change.tx
    .selectFrom('report')
    .selectAll()
    .where((row) =>
      row.or([
        row('reporter_id', '=', personId),
        ...(emails.length === 0
          ? []
          : [row('email', 'in', emails), row(row.fn<string>('lower', ['email']), 'in', emails)]),
      ]),
    )
    .orderBy('number')
    .limit(most)
    .execute();
  const byOthers = found.filter(({ reporter_id: by }) => by !== null && by !== personId);
  const own = found.filter((report) => !byOthers.includes(report));
  const ids = own.map(({ id }) => id);
  if (fate === 'remove') await removeReports(change, ids);
  else await removePictures(change, ids);

  const clean = cleanerOf(reporter);
  for (const report of [...byOthers, ...(fate === 'remove' ? [] : own)]) {
    const theirs = own.includes(report);
    const cleaned = {
      name: theirs ? pseudonym : report.name,
      email: '',
      message: theirs ? clean(report.message) : report.message,
      url: theirs ? clean(report.url) : report.url,
    };
    await change.tx
      .updateTable('report')
      .set({
        ...cleaned,
        ...(theirs
          ? {
              reporter_id: null,
              // The old hash could confirm a guess of the erased texts.
              content_hash: '',
              source: clean(report.source),
              tags: clean(report.tags),
              // Only values are cleaned: the field names are Portico's own, even if one equals the person's name.
              context: JSON.stringify(JSON.parse(report.context), (_, value: unknown) =>
                typeof value === 'string' ? clean(value) : value,
              ),
            }
          : {}),
        search_key: reportSearchKey(cleaned),
        version: nextVersion,
      })
      .where('id', '=', report.id)
      .execute();
  }
  if (fate === 'keep') await rewriteMessages(change, await messagesAbout(change, ids), clean);
  if (own.length > 0) change.publish('reports', personId);
  return found.length;
}

/** Replaces whole words that name the person by the pseudonym. */
function cleanerOf({ emails, fullName, pseudonym }: ErasedReporter): (text: string) => string {
  const words = [...emails, ...emails.map(encodeURIComponent), fullName];
  return (text) => replaceWords(text, words, pseudonym);
}

type MessageText = { id: string; text: string };

function messagesAbout({ tx }: Change, reportIds: readonly string[]): Promise<MessageText[]> {
  if (reportIds.length === 0) return Promise.resolve([]);
  return tx.selectFrom('report_message').select(['id', 'text']).where('report_id', 'in', reportIds).execute();
}

async function rewriteMessages(
  { tx }: Change,
  messages: readonly MessageText[],
  clean: (text: string) => string,
): Promise<void> {
  for (const { id, text } of messages) {
    const cleaned = clean(text);
    if (cleaned !== text)
      await tx
        .updateTable('report_message')
        .set({ text: cleaned, search_key: searchText(cleaned) })
        .where('id', '=', id)
        .execute();
  }
}

/**
 * Removes a person from up to `most` messages that they wrote about other people's reports; the messages stay
 * (BUG-10). Returns how many were found.
 */
export async function erasePersonFromMessages(
  change: Change,
  author: ErasedReporter,
  most: number,
): Promise<number> {
  const written = await change.tx
    .selectFrom('report_message')
    .select(['id', 'text'])
    .where('author_id', '=', author.personId)
    .limit(most)
    .execute();
  if (written.length === 0) return 0;
  await rewriteMessages(change, written, cleanerOf(author));
  await change.tx
    .updateTable('report_message')
    .set({ author_id: null, author_name: author.pseudonym })
    .where(
      'id',
      'in',
      written.map(({ id }) => id),
    )
    .execute();
  return written.length;
}

/** Removes a person as assignee, and from the histories that name them by their id (BUG-10). */
export async function erasePersonFromAssignees(
  change: Change,
  { personId, pseudonym }: Pick<ErasedReporter, 'personId' | 'pseudonym'>,
): Promise<void> {
  const { tx } = change;
  await tx
    .updateTable('report')
    .set({ assignee_id: null, version: nextVersion })
    .where('assignee_id', '=', personId)
    .execute();
  for (const column of ['before', 'after'] as const)
    await tx
      .updateTable('report_history')
      .set({ [column]: pseudonym })
      .where('what', '=', 'assignee')
      .where(column, '=', personId)
      .execute();
  publishList(change, reportInbox);
}

/** Removes a person's addresses from those that receive mail about reports. */
export async function erasePersonFromReportSettings(
  change: Change,
  { emails }: Pick<ErasedReporter, 'emails'>,
): Promise<void> {
  const { tx } = change;
  const { notified } = await tx.selectFrom('report_settings').select('notified').executeTakeFirstOrThrow();
  const all = JSON.parse(notified) as string[];
  const left = all.filter((address) => !emails.includes(address.toLowerCase()));
  if (left.length < all.length)
    await tx
      .updateTable('report_settings')
      .set({ notified: JSON.stringify(left), version: nextVersion })
      .execute();
}

/** Removes up to `most` reports that are older than a time, with their pictures; answers how many were removed. */
export async function sweepReports(
  change: Change,
  before: number,
  most: number,
): Promise<{ reports: number; pictures: number }> {
  const old = await change.tx
    .selectFrom('report')
    .select(['id', 'reporter_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(most)
    .execute();
  const pictures = await removeReports(
    change,
    old.map(({ id }) => id),
  );
  for (const { reporter_id: by } of old) if (by !== null) change.publish('reports-gone', by);
  return { reports: old.length, pictures };
}

/**
 * An operator deletes one report of any sender, with its pictures and history. The audit records which
 * report it was, but not its content (AUD-1). The reporter's list no longer shows it. Throws NOT_FOUND.
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

/** Removes reports with all that belongs to them; answers how many pictures. Numbers are not reused. */
export async function removeReports(change: Change, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  await storeHighestNumber(change);
  const pictures = await removePictures(change, ids);
  await change.tx.deleteFrom('report_history').where('report_id', 'in', ids).execute();
  await change.tx.deleteFrom('report_message').where('report_id', 'in', ids).execute();
  await change.tx.deleteFrom('report_label').where('report_id', 'in', ids).execute();
  await change.tx
    .updateTable('report')
    .set({ duplicate_of: null, version: nextVersion })
    .where('duplicate_of', 'in', ids)
    .execute();
  await change.tx.deleteFrom('report').where('id', 'in', ids).execute();
  return pictures;
}

async function removePictures(change: Change, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const pictures = await change.tx
    .deleteFrom('report_picture')
    .where('report_id', 'in', ids)
    .returning('file_id')
    .execute();
  for (const { file_id: fileId } of pictures)
    if (!(await isShown(change.tx, fileId))) await removeFile(change.tx, fileId);
  return pictures.length;
}
