import type { ReportSummary } from '#features/feedback/contract/inbox.ts';
import { useState } from 'react';
import { type StableRows, updateStableRows } from './stable-rows.ts';

type Held = StableRows<ReportSummary> & {
  /** The filter and order of these rows. */
  of: string;
  answer: readonly ReportSummary[] | null;
  moved: ReadonlySet<string>;
};

const nothing: Held = { of: '', answer: null, rows: [], left: new Set(), waiting: [], moved: new Set() };

/**
 * The rows of the inbox while they are read: they stay where they are while new answers come, and what is new
 * waits until it is asked for. What the person has changed leaves the list and returns at once.
 *
 * @param of filter and order; another one is another list
 * @param answer the latest answer for it; null while there is none
 * @param complete whether it holds the whole list
 */
export function useStableReports(of: string, answer: readonly ReportSummary[] | null, complete: boolean) {
  const [held, setHeld] = useState(nothing);
  if (answer !== null && (held.of !== of || held.answer !== answer)) {
    const same = held.of === of;
    const moved = same ? held.moved : nothing.moved;
    setHeld({ of, answer, moved, ...updateStableRows(same ? held.rows : [], answer, { moved, complete }) });
  }
  return {
    rows: held.rows,
    /** Rows that other people have changed, so that the filter no longer fits them. */
    left: held.left,
    waiting: held.waiting.length,
    /** Shows the latest answer. */
    showAll: () =>
      setHeld((now) => ({
        ...now,
        rows: now.answer ?? [],
        left: nothing.left,
        waiting: [],
        moved: nothing.moved,
      })),
    /** Removes a deleted report. */
    remove: (reportId: string) =>
      setHeld((now) => ({ ...now, rows: now.rows.filter((row) => row.id !== reportId) })),
    /** From the next answer on these rows are shown where they belong, or not at all. */
    release: (ids: readonly string[]) =>
      setHeld((now) => ({ ...now, moved: new Set([...now.moved, ...ids]) })),
  };
}
