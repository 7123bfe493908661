import type { Change } from '../../platform/database/database.ts';
import { nextVersion } from '../../platform/database/next-version.ts';
import { takeOut } from '../audit/take-out.ts';
import { isShown, removeFile } from '../files/files.store.ts';
import { keepNumbers, reportSearchKey } from './feedback.store.ts';

/** Who is taken out of reports, and what stands in their place. */
export type ForgottenReporter = {
  personId: string;
  /** Addresses that are this person's alone, in lower case too. */
  emails: readonly string[];
  fullName: string;
  pseudonym: string;
};

/**
 * Removes a person from up to `most` reports: their own, and those with their address (BUG-10). Answers how
 * many there were; once it answers 0, no report holds them any more.
 *
 * @param fate whether their own reports stay without name, address and pictures, or go
 */
export async function forgetReports(
  change: Change,
  reporter: ForgottenReporter,
  { fate, most }: { fate: 'keep' | 'remove'; most: number },
): Promise<number> {
  const { personId, emails, fullName, pseudonym } = reporter;
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

  const words = [...emails, ...emails.map(encodeURIComponent), fullName];
  const clean = (text: string) => takeOut(text, words, pseudonym);
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
              // With the texts one could test whether they match the old hash.
              content_hash: '',
              source: clean(report.source),
              tags: clean(report.tags),
              // Its names are Portico's own, whatever the person is called.
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
  if (own.length > 0) change.publish('reports', personId);
  return found.length;
}

/** Removes up to `most` reports that are older than a time, with their pictures; answers how many went. */
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
 * Removes reports with all that hangs on them; answers how many pictures they had. Their numbers are not
 * given again.
 */
export async function removeReports(change: Change, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  await keepNumbers(change);
  const pictures = await removePictures(change, ids);
  await change.tx.deleteFrom('report_history').where('report_id', 'in', ids).execute();
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
