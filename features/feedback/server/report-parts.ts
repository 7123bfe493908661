import type { StoredPicture } from '#features/feedback/contract/own-reports.ts';
import type { Selectable } from 'kysely';
import { authorOf } from '#features/directory/server/authors.ts';
import type { Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';

/** A stored report. */
export type ReportRow = Selectable<Tables['report']>;
/** A stored change of a report, with its author as screens show it. */
export type HistoryRow = Selectable<Tables['report_history']> & { by: string };

type Reports = readonly { id: string }[];

/** Each report's pictures, in the order in which they were sent. */
export async function picturesOf(read: Reader, reports: Reports): Promise<Map<string, StoredPicture[]>> {
  if (reports.length === 0) return new Map();
  const rows = await read
    .selectFrom('report_picture')
    .innerJoin('file', 'file.id', 'report_picture.file_id')
    .select(['report_id', 'file.id', 'filename', 'size', 'width', 'height'])
    .where('report_id', 'in', idsOf(reports))
    .orderBy('position')
    .execute();
  return collected(
    rows.map(({ report_id: reportId, width, height, ...file }) => [
      reportId,
      { ...file, width: width ?? 0, height: height ?? 0, url: `/v1/files/${file.id}` },
    ]),
  );
}

/** Each report's changes, oldest first. */
export async function historyOf(read: Reader, reports: Reports): Promise<Map<string, HistoryRow[]>> {
  if (reports.length === 0) return new Map();
  const rows = await read
    .selectFrom('report_history')
    .selectAll()
    .select(authorOf('report_history.actor_name').as('by'))
    .where('report_id', 'in', idsOf(reports))
    .orderBy('at')
    .execute();
  return collected(rows.map((row) => [row.report_id, row]));
}

/** Each report's labels, by name. */
export async function labelsOf(read: Reader, reports: Reports): Promise<Map<string, string[]>> {
  if (reports.length === 0) return new Map();
  const rows = await read
    .selectFrom('report_label')
    .select(['report_id', 'label'])
    .where('report_id', 'in', idsOf(reports))
    .orderBy('label_key')
    .execute();
  return collected(rows.map(({ report_id: reportId, label }) => [reportId, label]));
}

/** The numbers of reports, by id. */
export async function numbersOf(read: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await read.selectFrom('report').select(['id', 'number']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Groups the values by key, in their order. */
export function collected<T>(entries: readonly (readonly [key: string, value: T])[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const [key, value] of entries) {
    const values = found.get(key);
    if (values === undefined) found.set(key, [value]);
    else values.push(value);
  }
  return found;
}

function idsOf(reports: Reports): string[] {
  return reports.map(({ id }) => id);
}
