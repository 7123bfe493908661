import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';

export type StatusAt = { at: number; status: ReportStatus };

/**
 * The history of a report as its reporter sees it (BUG-9). Spam is shown as closed. Entries that then look
 * the same are shown once, as of the first time.
 */
export function reportersView(history: readonly StatusAt[]): StatusAt[] {
  const shownStates: StatusAt[] = [];
  for (const { at, status } of history) {
    const shown = status === 'spam' ? 'closed' : status;
    if (shownStates.at(-1)?.status !== shown) shownStates.push({ at, status: shown });
  }
  return shownStates;
}
