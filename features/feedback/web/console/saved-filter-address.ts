import { wallTimeAt } from '#contract/rules/wall-time.ts';
import type { SavedQuery } from '#features/feedback/contract/saved-filters.ts';
import { filterQuery, type InboxFilter, noFilter } from './inbox-filter.ts';

/** A filter of the inbox as it is saved: without what is empty, in the order of the names. */
export function savedOfFilter(filter: InboxFilter, timeZone: string): SavedQuery {
  const { search, order, ...others } = filterQuery(filter, timeZone);
  const saved: SavedQuery = {
    ...others,
    ...(search === '' ? {} : { search }),
    ...(order === 'newest' ? {} : { order }),
  };
  return Object.fromEntries(Object.entries(saved).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A saved filter as an address. Its times become days in the time zone of the current person. */
export function filterOfSaved(saved: SavedQuery, timeZone: string): InboxFilter {
  const day = (at: number | undefined) =>
    at === undefined ? '' : (wallTimeAt(at, timeZone)?.slice(0, 10) ?? '');
  const { tab = '', search = '', status = '', assignee = '', label = '', pictures = '', order = '' } = saved;
  return {
    ...noFilter,
    tab,
    search,
    status,
    assignee,
    label,
    pictures,
    order,
    last: saved.lastWord ?? '',
    from: day(saved.from),
    until: day(saved.until),
  };
}
