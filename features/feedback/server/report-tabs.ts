import { reportStatus, type ReportStatus } from '#features/feedback/contract/own-reports.ts';

/** The part of the inbox in which a report is, as its row has it. */
export type StoredTab = 'open' | 'done' | 'spam';

const tabs: Record<ReportStatus, StoredTab> = {
  new: 'open',
  triaged: 'open',
  'in-progress': 'open',
  resolved: 'done',
  closed: 'done',
  duplicate: 'done',
  spam: 'spam',
};

export function tabOf(status: ReportStatus): StoredTab {
  return tabs[status];
}

/** The statuses of a tab. */
export function statusesOf(tab: StoredTab): ReportStatus[] {
  return reportStatus.options.filter((status) => tabs[status] === tab);
}
