import type { changeReport } from '#features/feedback/contract/change-reports.ts';
import { labelLimits } from '#features/feedback/contract/inbox.ts';
import type { BodyOf } from '#contract/route.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { searchText } from '#server/platform/database/sql.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    report_label: { report_id: string; label: string; label_key: string };
  }
}

/** `labels` replaces all labels of the report. */
type WantedLabels = Pick<BodyOf<typeof changeReport>, 'labels' | 'addLabels' | 'removeLabels'>;

/** The labels of a report after a change, each as it was first written anywhere. Throws CONFLICT: too many. */
export async function labelsAfter(
  read: Reader,
  before: readonly string[],
  { labels = [...before], addLabels = [], removeLabels = [] }: WantedLabels,
): Promise<string[]> {
  const wanted = new Map([...labels, ...addLabels].toReversed().map((label) => [searchText(label), label]));
  for (const label of removeLabels) wanted.delete(searchText(label));
  const has = new Map(before.map((label) => [searchText(label), label]));
  const added = [...wanted.keys()].filter((key) => !has.has(key));
  if (wanted.size > labelLimits.each && added.length > 0) {
    throw new HttpProblem('CONFLICT', { detail: `A report has at most ${labelLimits.each} labels.` });
  }
  const known = await knownLabels(read, added);
  const fresh = added.filter((key) => !known.has(key)).length;
  if (fresh > 0 && (await countLabels(read)) + fresh > labelLimits.all) {
    throw new HttpProblem('CONFLICT', {
      detail: `There are at most ${labelLimits.all} different labels. Use one of them, or remove one from all reports.`,
    });
  }
  return [...wanted]
    .map(([key, label]): [key: string, label: string] => [key, has.get(key) ?? known.get(key) ?? label])
    .toSorted(([key], [other]) => (key < other ? -1 : 1))
    .map(([, label]) => label);
}

async function knownLabels(read: Reader, keys: readonly string[]): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const key of keys) {
    const row = await read
      .selectFrom('report_label')
      .select('label')
      .where('label_key', '=', key)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) known.set(key, row.label);
  }
  return known;
}

async function countLabels(read: Reader): Promise<number> {
  const { n } = await read
    .selectFrom('report_label')
    .select(({ fn }) => fn.count<number>('label_key').distinct().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Replaces the labels of a report. */
export async function writeLabels(
  { tx }: Change,
  reportId: string,
  labels: readonly string[],
): Promise<void> {
  await tx.deleteFrom('report_label').where('report_id', '=', reportId).execute();
  if (labels.length === 0) return;
  await tx
    .insertInto('report_label')
    .values(labels.map((label) => ({ report_id: reportId, label, label_key: searchText(label) })))
    .execute();
}

/** The labels that reports have, by name. Reads from `longReads`, since the time grows with their number. */
export async function listLabels(longReads: Reader): Promise<{ label: string; reports: number }[]> {
  const rows = await longReads
    .selectFrom('report_label')
    .select(({ fn }) => [fn.min('label').as('label'), fn.countAll<number>().as('reports')])
    .groupBy('label_key')
    .orderBy('label_key')
    .limit(labelLimits.all)
    .execute();
  return rows;
}
