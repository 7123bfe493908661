import { auditThrough, getAuditEntry, listAudit, type AuditThrough } from '#features/audit/contract/audit.ts';
import { getPerson, listPeople } from '#features/people/contract/people.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';
import { dayEnd, dayStart } from '#web/platform/time/wall-times.ts';

/** The filter of the audit, as it is in the address; empty: no filter. */
export type AuditFilter = Record<(typeof filterNames)[number], string>;
export const filterNames = [
  'search',
  'area',
  'through',
  'last',
  'from',
  'until',
  'subject',
  'actor',
  'action',
] as const;

const day = 86_400_000;

/** Periods up to now, by the word in the address. */
export const periods = [
  { period: '24h', unit: 'HOURS', count: 24, length: day },
  { period: '7d', unit: 'DAYS', count: 7, length: 7 * day },
  { period: '30d', unit: 'DAYS', count: 30, length: 30 * day },
] as const;

/**
 * The filter as the server takes it, without empty fields.
 *
 * @param now milliseconds, where a period ends
 */
export function filterQuery(filter: AuditFilter, timeZone: string, now: number) {
  const period = periods.find(({ period: word }) => word === filter.last);
  const { search, area, through, subject, actor, action } = filter;
  return {
    search: search.trim().slice(0, 200),
    ...(/^[a-z-]{1,60}$/.test(area) ? { area } : {}),
    ...(/^[a-z-]{1,60}\.[a-z-]{1,60}$/.test(action) ? { action } : {}),
    ...(subject === '' ? {} : { subject: subject.slice(0, 300) }),
    ...(actor === '' ? {} : { actor: actor.slice(0, 254) }),
    ...optional('through', wayOf(through)),
    ...optional(
      'from',
      period === undefined ? dayStart(filter.from, timeZone) : Math.round(now) - period.length,
    ),
    ...optional('until', period === undefined ? dayEnd(filter.until, timeZone) : null),
  };
}

function optional<Name extends string, Value>(name: Name, value: Value | null): Partial<Record<Name, Value>> {
  return value === null ? {} : ({ [name]: value } as Record<Name, Value>);
}

function wayOf(through: string): AuditThrough | null {
  return auditThrough.safeParse(through).data ?? null;
}

const auditKey = ['audit'] as const;

/**
 * The audit, page by page. Newer entries are not loaded, so that the list does not move while a person reads it.
 */
export const auditQuery = (filter: AuditFilter, timeZone: string, now: () => number) => ({
  ...routePages([...auditKey, 'list', filter, timeZone], listAudit, {
    query: filterQuery(filter, timeZone, now()),
  }),
  refetchOnWindowFocus: false,
  // While a changed filter loads, the previous list stays, so that nothing jumps.
  placeholderData: keepPreviousData,
});

/** The first people whom a search finds. */
export const actorsFoundQuery = (search: string) => ({
  ...routeQuery(['people', 'actors', search], listPeople, { query: { search, limit: 20 } }),
  placeholderData: keepPreviousData,
});

/** A person by id, as on their page. */
export const personQuery = (personId: string) =>
  routeQuery(['people', 'one', personId], getPerson, { params: { personId } });

/** One entry, whole. It never changes. */
export const auditEntryQuery = (entryId: string) => ({
  ...routeQuery([...auditKey, 'one', entryId], getAuditEntry, { params: { entryId } }),
  staleTime: Number.POSITIVE_INFINITY,
});
