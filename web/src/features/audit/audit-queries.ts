import { auditThrough, getAuditEntry, listAudit, type AuditThrough } from '@portico/contract/audit';
import { resolveWallTime } from '@portico/contract/rules/wall-time';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Api } from '../../platform/calls/call.ts';

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

/**
 * The first moment of a day such as `2026-11-22` in a zone, in milliseconds; null where there is no such day.
 */
export function dayStart(day: string, timeZone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const found = resolveWallTime({ local: `${day}T00:00`, timeZone });
  if (found.kind === 'one') return found.at;
  if (found.kind === 'doubled') return found.first;
  return found.kind === 'skipped' ? found.after : null;
}

/** The last moment of a day. */
export function dayEnd(day: string, timeZone: string): number | null {
  if (dayStart(day, timeZone) === null) return null;
  const next = new Date(Date.parse(`${day}T12:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const start = dayStart(next, timeZone);
  return start === null ? null : start - 1;
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
