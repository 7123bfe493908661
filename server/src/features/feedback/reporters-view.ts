import type { ReportStatus } from '@portico/contract/feedback/own-reports';

export type StatusAt = { at: number; status: ReportStatus };

/**
 * What became of a report, as its reporter is told (BUG-9). Nobody is told that they were taken for spam: for them it
 * was closed. What then looks the same is told once, as of the first time.
 */
export function reportersView(history: readonly StatusAt[]): StatusAt[] {
  const shownStates: StatusAt[] = [];
  for (const { at, status } of history) {
    const shown = status === 'spam' ? 'closed' : status;
    if (shownStates.at(-1)?.status !== shown) shownStates.push({ at, status: shown });
  }
  return shownStates;
}
