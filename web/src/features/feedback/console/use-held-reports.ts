import type { FullReport, ReportSummary } from '@portico/contract/feedback/inbox';
import { useState } from 'react';
import { holdRows } from './held-rows.ts';

type Held = {
  /** The filter and order of these rows. */
  of: string;
  answer: readonly ReportSummary[] | null;
  rows: readonly ReportSummary[];
  waiting: readonly ReportSummary[];
};

const nothing: Held = { of: '', answer: null, rows: [], waiting: [] };

/**
 * The rows of the inbox while they are read: they stay where they are while new answers come, and what is new
 * waits until it is asked for.
 *
 * @param of filter and order; another one is another list
 * @param answer the latest answer for it; null while there is none
 */
export function useHeldReports(of: string, answer: readonly ReportSummary[] | null) {
  const [held, setHeld] = useState(nothing);
  if (answer !== null && (held.of !== of || held.answer !== answer)) {
    const { rows, waiting } = holdRows(held.of === of ? held.rows : [], answer);
    setHeld({ of, answer, rows, waiting });
  }
  return {
    rows: held.rows,
    waiting: held.waiting.length,
    /** Shows the latest answer. */
    showAll: () => setHeld((now) => ({ ...now, rows: now.answer ?? [], waiting: [] })),
    /** Removes a deleted report. */
    remove: (reportId: string) =>
      setHeld((now) => ({ ...now, rows: now.rows.filter((row) => row.id !== reportId) })),
    /** Replaces one report by its newest state. */
    replace: (report: FullReport) =>
      setHeld((now) => ({
        ...now,
        rows: now.rows.map((row) => (row.id === report.id ? report : row)),
      })),
  };
}
