import { reportOrder, reportTab, type ReportTab } from '#features/feedback/contract/inbox.ts';
import { reportStatus, type ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { dayEnd, dayStart } from '#web/platform/time/wall-times.ts';

/** The filters that narrow the inbox, by their names in the address. */
export const narrowing = [
  'search',
  'status',
  'assignee',
  'label',
  'from',
  'until',
  'pictures',
  'last',
] as const;
export const filterNames = ['tab', ...narrowing, 'order'] as const;

/** The filter of the inbox as it is in the address; empty: left out. */
export type InboxFilter = Record<(typeof filterNames)[number], string>;

export const noFilter = Object.fromEntries(filterNames.map((name) => [name, ''])) as InboxFilter;

/** The statuses that a tab holds. */
export const statusesOf: Readonly<Record<ReportTab, readonly ReportStatus[]>> = {
  open: ['new', 'triaged', 'in-progress'],
  mine: ['new', 'triaged', 'in-progress'],
  snoozed: ['new', 'triaged', 'in-progress'],
  done: ['resolved', 'closed', 'duplicate'],
  spam: ['spam'],
};

export const isUnderWay = (status: ReportStatus): boolean => statusesOf.open.includes(status);

/** The tab in which reports of a status are found. */
export function tabOf(status: ReportStatus): ReportTab {
  return reportTab.options.find((tab) => tab !== 'mine' && statusesOf[tab].includes(status)) ?? 'open';
}

/** Reads the filter of an address, without invalid values; an address of an earlier release may have no tab. */
export function readFilter(address: InboxFilter): InboxFilter & { tab: ReportTab } {
  const status = reportStatus.safeParse(address.status).data;
  const tab =
    reportTab.safeParse(address.tab).data ?? (status === undefined ? ('open' as const) : tabOf(status));
  return {
    ...address,
    tab,
    search: address.search.trim().slice(0, 200),
    status: status !== undefined && statusesOf[tab].includes(status) ? status : '',
    assignee: tab !== 'mine' && /^[A-Za-z0-9_-]{1,64}$/.test(address.assignee) ? address.assignee : '',
    label: address.label.trim().slice(0, 50),
    pictures: ['with', 'without'].includes(address.pictures) ? address.pictures : '',
    last: ['reporter', 'operator'].includes(address.last) ? address.last : '',
    order: reportOrder.safeParse(address.order).data ?? 'newest',
  };
}

/** The number of filters that narrow the list, without the search words and the order. */
export function countNarrowing(filter: InboxFilter): number {
  return narrowing.filter((name) => name !== 'search' && filter[name] !== '').length;
}

/** The filter as the server takes it. */
export function filterQuery(filter: InboxFilter, timeZone: string) {
  const { tab, search, status, assignee, label, pictures, last, order } = readFilter(filter);
  const from = dayStart(filter.from, timeZone);
  const until = dayEnd(filter.until, timeZone);
  return {
    tab,
    search,
    order: reportOrder.parse(order),
    ...(status === '' ? {} : { status: reportStatus.parse(status) }),
    ...(assignee === '' ? {} : { assignee }),
    ...(label === '' ? {} : { label }),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
    ...(pictures === '' ? {} : { pictures: pictures as 'with' | 'without' }),
    ...(last === '' ? {} : { lastWord: last as 'reporter' | 'operator' }),
  };
}
