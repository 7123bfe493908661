import {
  mostViews,
  sharedViews,
  viewQuery,
  type View,
  type ViewedList,
  type ViewQuery,
  viewRights,
} from '#features/views/contract/views.ts';
import type { Kysely } from 'kysely';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion, searchText } from '#server/platform/database/sql.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound, refuseStale, taken } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** Named views of lists; at first only the list of reports had views. A view without an owner is shared. */
    report_filter: {
      id: string;
      owner_id: string | null;
      list: string;
      name: string;
      /** JSON: a `ViewQuery`. */
      filter: string;
      created_at: number;
      created_by: string;
      version: number;
    };
  }
}

type Row = Tables['report_filter'];

/** The caller who reads or changes views, and their rights. */
export type ViewEditor = { caller: Caller; rights: ReadonlySet<string> };

/** A caller's own views of a list and the shared ones, by name. Throws RIGHT_MISSING. */
export async function viewsOf(
  read: Reader,
  { caller, rights }: ViewEditor,
  list: ViewedList,
): Promise<View[]> {
  refuseWithout(rights, viewRights[list].read);
  const rows = await read
    .selectFrom('report_filter')
    .selectAll()
    .where('list', '=', list)
    .where((row) => row.or([row('owner_id', '=', caller.id), row('owner_id', 'is', null)]))
    .execute();
  return rows.map(viewOf).toSorted((one, other) => (searchText(one.name) < searchText(other.name) ? -1 : 1));
}

/** Throws RIGHT_MISSING; CONFLICT if the list has too many views or another view has the name. */
export async function createView(
  change: Change,
  { caller, rights }: ViewEditor,
  { list, name, query, shared }: { list: ViewedList; name: string; query: ViewQuery; shared: boolean },
): Promise<View> {
  const row = {
    id: newId(),
    owner_id: shared ? null : caller.id,
    list,
    name,
    filter: JSON.stringify(query),
    created_at: change.at,
    created_by: caller.name,
    version: 1,
  };
  refuseWithout(rights, viewRights[list][shared ? 'share' : 'read']);
  const others = await refuseSameName(change.tx, row);
  if (others >= mostViews)
    throw new HttpProblem('CONFLICT', { detail: `There can be ${mostViews} views of a list. Remove one.` });
  await change.tx.insertInto('report_filter').values(row).execute();
  if (shared) {
    publishList(change, sharedViews(list));
    await recordAudit(change, caller, {
      action: 'view.create',
      subject: row.id,
      after: { name, list, query },
    });
  }
  return viewOf(row);
}

/** Throws NOT_FOUND, VERSION_CONFLICT, RIGHT_MISSING; CONFLICT if another view has the name. */
export async function updateView(
  change: Change,
  editor: ViewEditor,
  viewId: string,
  { name, query, version }: { name: string; query: ViewQuery; version: number },
): Promise<View> {
  const { row, list } = await changeable(change.tx, viewId, editor);
  refuseStale(row, version);
  await refuseSameName(change.tx, { ...row, name });
  const next = { name, filter: JSON.stringify(query) };
  await change.tx
    .updateTable('report_filter')
    .set({ ...next, version: nextVersion })
    .where('id', '=', viewId)
    .execute();
  if (row.owner_id === null) {
    publishList(change, sharedViews(list));
    await recordAudit(change, editor.caller, {
      action: 'view.update',
      subject: viewId,
      before: { name: row.name, list, query: viewOf(row).query },
      after: { name, list, query },
    });
  }
  return viewOf({ ...row, ...next, version: version + 1 });
}

/** Throws NOT_FOUND, RIGHT_MISSING. */
export async function deleteView(change: Change, editor: ViewEditor, viewId: string): Promise<void> {
  const { row, list } = await changeable(change.tx, viewId, editor);
  await change.tx.deleteFrom('report_filter').where('id', '=', viewId).execute();
  if (row.owner_id !== null) return;
  publishList(change, sharedViews(list));
  await recordAudit(change, editor.caller, {
    action: 'view.delete',
    subject: viewId,
    before: { name: row.name, list, query: viewOf(row).query },
  });
}

/** Removes the views that only this person has. */
export async function eraseViews({ tx }: Change, personId: string): Promise<void> {
  await tx.deleteFrom('report_filter').where('owner_id', '=', personId).execute();
}

/** A view of the caller's, or a shared one that they may change. Throws NOT_FOUND, RIGHT_MISSING. */
async function changeable(read: Reader, viewId: string, { caller, rights }: ViewEditor) {
  const found = await read
    .selectFrom('report_filter')
    .selectAll()
    .where('id', '=', viewId)
    .where((each) => each.or([each('owner_id', '=', caller.id), each('owner_id', 'is', null)]))
    .executeTakeFirst();
  const row = orNotFound(found, 'There is no such view.');
  const list = row.list as ViewedList;
  refuseWithout(rights, viewRights[list][row.owner_id === null ? 'share' : 'read']);
  return { row, list };
}

function viewOf({ id, name, filter, owner_id: owner, version }: Row): View {
  return {
    id,
    name,
    // A query that another release saved and this release cannot read counts as empty.
    query: viewQuery.safeParse(JSON.parse(filter)).data ?? {},
    shared: owner === null,
    version,
  };
}

function refuseWithout(rights: ReadonlySet<string>, right: string): void {
  if (!rights.has(right))
    throw new HttpProblem('RIGHT_MISSING', { detail: `This takes the right ${right}.` });
}

/** Counts the list's other views of this owner, or other shared ones. Throws CONFLICT if one has this name. */
async function refuseSameName(read: Reader, { id, owner_id: owner, list, name }: Row): Promise<number> {
  const others = await read
    .selectFrom('report_filter')
    .select('name')
    .where('list', '=', list)
    .where('owner_id', owner === null ? 'is' : '=', owner)
    .where('id', '!=', id)
    .execute();
  if (others.some((other) => searchText(other.name) === searchText(name)))
    throw taken('/name', 'Another view has this name.');
  return others.length;
}

/** Migration: all lists can have views, not only reports; saved views get the parameter names of the address. */
export async function addLists(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('report_filter')
    .addColumn('list', 'text', (column) => column.notNull().defaultTo('reports'))
    .execute();
  const typed = db as Kysely<{ report_filter: { id: string; filter: string } }>;
  for (const { id, filter } of await typed.selectFrom('report_filter').select(['id', 'filter']).execute())
    await typed
      .updateTable('report_filter')
      .set({ filter: JSON.stringify(addressOf(JSON.parse(filter) as Record<string, string | number>)) })
      .where('id', '=', id)
      .execute();
}

/** Days of any time zone lie within twelve hours of those of UTC. */
function addressOf({ lastWord, from, until, ...others }: Record<string, string | number>): ViewQuery {
  const halfDay = 43_200_000;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return Object.fromEntries(
    Object.entries({
      ...others,
      ...(lastWord === undefined ? {} : { last: lastWord }),
      ...(from === undefined ? {} : { from: day(Number(from) + halfDay) }),
      ...(until === undefined ? {} : { until: day(Number(until) - halfDay) }),
    }).map(([name, value]) => [name, String(value)]),
  );
}
