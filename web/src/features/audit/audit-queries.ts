import { auditThrough, getAuditEntry, listAudit, type AuditThrough } from '@portico/contract/audit';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Api } from '../../platform/calls/call.ts';
import { dayEnd, dayStart } from '../../platform/time/day-bounds.ts';

/** The filter of the audit, as it is in the address; empty: no filter. */
export type AuditFilter = Record<(typeof filterNames)[number], string>;
export const filterNames = [
  'search',
  'area',
  'through',
  'from',
  'until',
  'subject',
  'actor',
  'action',
] as const;

/** The filter as the server takes it, without empty fields. */
export function filterQuery(filter: AuditFilter, timeZone: string) {
  const { search, area, through, subject, actor, action } = filter;
  return {
    search: search.trim().slice(0, 200),
    ...(/^[a-z-]{1,60}$/.test(area) ? { area } : {}),
    ...(/^[a-z-]{1,60}\.[a-z-]{1,60}$/.test(action) ? { action } : {}),
    ...(subject === '' ? {} : { subject: subject.slice(0, 300) }),
    ...(actor === '' ? {} : { actor: actor.slice(0, 254) }),
    ...optional('through', wayOf(through)),
    ...optional('from', dayStart(filter.from, timeZone)),
    ...optional('until', dayEnd(filter.until, timeZone)),
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
 * A page of the audit after the other. Newer entries are not looked for: the list stands still while it is
 * read.
 */
export function auditQuery(api: Api, filter: AuditFilter, timeZone: string) {
  return infiniteQueryOptions({
    queryKey: [...auditKey, 'list', filter, timeZone],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        listAudit,
        { query: { ...filterQuery(filter, timeZone), ...(pageParam === null ? {} : { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchOnWindowFocus: false,
    // While a changed filter loads, the previous list stays, so that nothing jumps.
    placeholderData: (previous) => previous,
  });
}

/** One entry, whole. It never changes. */
export function auditEntryQuery(api: Api, entryId: string) {
  return queryOptions({
    queryKey: [...auditKey, 'one', entryId],
    queryFn: ({ signal }) => api.call(getAuditEntry, { params: { entryId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
