import {
  mostFilters,
  savedQuery,
  sharedFilters,
  type SavedFilter,
  type SavedQuery,
} from '#features/feedback/contract/saved-filters.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/next-version.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { searchText } from '#server/platform/database/search-text.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { orNotFound, refuseStale, taken } from '#server/platform/http/refusals.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Filters of the inbox by name; without an owner they are everyone's. */
    report_filter: {
      id: string;
      owner_id: string | null;
      name: string;
      /** JSON. */
      filter: string;
      created_at: number;
      created_by: string;
      version: number;
    };
  }
}

/** The editor of a filter, and whether they may change reports, which is needed for shared filters. */
export type FilterEditor = { caller: Caller; mayShare: boolean };

/** A caller's own filters and the shared ones, by name. */
export async function listFilters(read: Reader, callerId: string): Promise<SavedFilter[]> {
  const rows = await read
    .selectFrom('report_filter')
    .selectAll()
    .where((row) => row.or([row('owner_id', '=', callerId), row('owner_id', 'is', null)]))
    .execute();
  return rows
    .map(filterOf)
    .toSorted((one, other) => (searchText(one.name) < searchText(other.name) ? -1 : 1));
}

/** Throws RIGHT_MISSING, CONFLICT where there are too many or one has the name. */
export async function addFilter(
  change: Change,
  { caller, mayShare }: FilterEditor,
  { name, filter, shared }: { name: string; filter: SavedQuery; shared: boolean },
): Promise<SavedFilter> {
  const ownerId = shared ? null : caller.id;
  if (shared) refuseUnshared(mayShare);
  const others = await filtersOf(change.tx, ownerId);
  if (others.length >= mostFilters)
    throw new HttpProblem('CONFLICT', { detail: `There can be ${mostFilters} saved filters. Remove one.` });
  refuseSameName(others, name);
  const row = {
    id: newId(),
    owner_id: ownerId,
    name,
    filter: JSON.stringify(filter),
    created_at: change.at,
    created_by: caller.name,
    version: 1,
  };
  await change.tx.insertInto('report_filter').values(row).execute();
  if (shared) {
    publishList(change, sharedFilters);
    await recordAudit(change, caller, {
      action: 'report-filter.create',
      subject: row.id,
      after: { name, filter },
    });
  }
  return filterOf(row);
}

/** Throws NOT_FOUND, VERSION_CONFLICT, RIGHT_MISSING, CONFLICT where another one has the name. */
export async function changeFilter(
  change: Change,
  { caller, mayShare }: FilterEditor,
  filterId: string,
  { name, filter, version }: { name: string; filter: SavedQuery; version: number },
): Promise<SavedFilter> {
  const before = await visibleFilter(change.tx, filterId, caller.id);
  if (before.shared) refuseUnshared(mayShare);
  refuseStale(before, version);
  const others = await filtersOf(change.tx, before.shared ? null : caller.id);
  refuseSameName(
    others.filter(({ id }) => id !== filterId),
    name,
  );
  await change.tx
    .updateTable('report_filter')
    .set({ name, filter: JSON.stringify(filter), version: nextVersion })
    .where('id', '=', filterId)
    .execute();
  if (before.shared) {
    publishList(change, sharedFilters);
    await recordAudit(change, caller, {
      action: 'report-filter.update',
      subject: filterId,
      before: { name: before.name, filter: before.filter },
      after: { name, filter },
    });
  }
  return visibleFilter(change.tx, filterId, caller.id);
}

/** Throws NOT_FOUND, RIGHT_MISSING. */
export async function removeFilter(
  change: Change,
  { caller, mayShare }: FilterEditor,
  filterId: string,
): Promise<void> {
  const { name, filter, shared } = await visibleFilter(change.tx, filterId, caller.id);
  if (shared) refuseUnshared(mayShare);
  await change.tx.deleteFrom('report_filter').where('id', '=', filterId).execute();
  if (!shared) return;
  publishList(change, sharedFilters);
  await recordAudit(change, caller, {
    action: 'report-filter.delete',
    subject: filterId,
    before: { name, filter },
  });
}

function filtersOf(read: Reader, ownerId: string | null): Promise<Tables['report_filter'][]> {
  return read
    .selectFrom('report_filter')
    .selectAll()
    .where('owner_id', ownerId === null ? 'is' : '=', ownerId)
    .execute();
}

async function visibleFilter(read: Reader, filterId: string, callerId: string): Promise<SavedFilter> {
  const row = await read
    .selectFrom('report_filter')
    .selectAll()
    .where('id', '=', filterId)
    .where((each) => each.or([each('owner_id', '=', callerId), each('owner_id', 'is', null)]))
    .executeTakeFirst();
  return filterOf(orNotFound(row, 'There is no such saved filter.'));
}

function filterOf(row: Tables['report_filter']): SavedFilter {
  return {
    id: row.id,
    name: row.name,
    // What another release has saved and this one does not know is left out.
    filter: savedQuery.safeParse(JSON.parse(row.filter)).data ?? {},
    shared: row.owner_id === null,
    version: row.version,
  };
}

function refuseUnshared(mayShare: boolean): void {
  if (!mayShare)
    throw new HttpProblem('RIGHT_MISSING', { detail: 'Shared filters take the right to change reports.' });
}

function refuseSameName(others: readonly { name: string }[], name: string): void {
  if (others.some((other) => searchText(other.name) === searchText(name)))
    throw taken('/name', 'Another saved filter has this name.');
}
