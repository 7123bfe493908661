import { sql } from 'kysely';
import * as contract from '#features/diagnostics/contract/diagnostics.ts';
import {
  errorFacet,
  errorLimits,
  type FullError,
  listReportErrors,
} from '#features/diagnostics/contract/diagnostics.ts';
import type { Core } from '#server/core.ts';
import type { AccessControl, Caller } from '#server/platform/http/access-check.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { listAssignees, assigneesOf } from '#features/permissions/server/assignees.ts';
import { countRows } from '#server/platform/database/sql.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { addComment, removeComment, commentsOf, similarTo } from './error-work.ts';
import { changeErrors, changeStatus, deleteError, setAssignee } from './change-errors.ts';
import { countedPeriodOf, countsOfProjects, countsOfErrors, type WantedPeriod } from './error-counts.ts';
import { neighboursOf, readEvent } from './error-events.ts';
import { errorCursor, findError, listErrors, errorOf } from './error-list.ts';
import { unpackSample } from './intake/packed-sample.ts';
import type { PersonHash } from './intake/person-hash.ts';
import { errorsOfReport, reportsOfEvent } from './linked-reports.ts';
import { requestIdOf, showSample } from './show-sample.ts';
import { applyMaps, type MapParts } from './source-maps/apply-maps.ts';

/** How many values of a filter are offered. */
const most = 200;
const mostRead = 2_000;

type ErrorsRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  rightsOf: AccessControl['rightsOf'];
  hashOf: PersonHash;
  maps: Omit<MapParts, 'read'>;
  /** Called after an error was deleted, so that its events are removed. */
  deleted(): void;
};

/** Errors of a bulk change in one transaction: a write of SQLite blocks the whole process. */
const changedAtOnce = 10;

/** The routes by which operators read, resolve and delete errors (DIAG-2). */
export function errorsRoutes(serve: Serve, options: ErrorsRoutesOptions): void {
  const { database, clock, maps } = options;

  async function holds(caller: Caller, right: string): Promise<boolean> {
    return (await options.rightsOf(caller)).has(right);
  }

  serve(contract.listErrors, async ({ query, caller }) => {
    const after = errorCursor.read(query.cursor);
    const period = countedPeriodOf(query, clock.now());
    const found = await listErrors(
      database.longReads,
      { ...query, assignee: query.assignee === 'current' ? caller.id : query.assignee },
      { ...query, after, period, now: clock.now() },
    );
    return { ...found, period, next: errorCursor.write(found.next) };
  });

  serve(contract.countEvents, async ({ query }) => {
    const period = countedPeriodOf(query, clock.now());
    return { period, ...(await countsOfProjects(database.longReads, query.project, period)) };
  });

  serve(contract.listErrorFilters, ({ query }) => readErrorFilters(database.longReads, query.project));

  serve(contract.getError, ({ params, query }) =>
    readError(database.longReads, params.errorId, query, clock.now()),
  );

  serve(contract.getErrorEvent, async ({ params: { errorId, event: which }, caller }) => {
    const { longReads } = database;
    const group = await findError(longReads, errorId);
    const event = orNotFound(await readEvent(longReads, errorId, which), 'There is no such event.');
    const sent = event.payload === null ? undefined : await unpackSample(event.payload);
    const from = { projectId: group.project_id, release: event.release, event: sent };
    const sample =
      sent === undefined ? null : await applyMaps({ ...maps, read: longReads }, showSample(sent), from);
    return {
      number: event.n,
      eventId: event.event_id,
      errorId,
      receivedAt: event.received_at,
      release: event.release,
      environment: event.environment,
      browser: event.browser,
      system: event.system,
      ofPerson: event.person_hash !== null,
      requestId: sample === null ? null : requestIdOf(sample),
      sample,
      reports: (await holds(caller, 'REPORTS_READ'))
        ? await reportsOfEvent(longReads, event, options.hashOf)
        : null,
      ...(await neighboursOf(longReads, errorId, event.n)),
    };
  });

  serve(contract.setErrorStatus, ({ params, body, caller }) =>
    database.change((change) => changeStatus(change, caller, params.errorId, body)),
  );

  serve(contract.setErrorAssignee, ({ params, body, caller }) =>
    database.change((change) => setAssignee(change, caller, params.errorId, body)),
  );

  serve(contract.listErrorAssignees, ({ query }) =>
    listAssignees(database.longReads, 'DIAGNOSTICS_WRITE', query, clock.now()),
  );

  serve(contract.addErrorComment, ({ params, body, caller }) =>
    database.change((change) => addComment(change, caller, params.errorId, body.text)),
  );

  serve(contract.removeErrorComment, ({ params, caller }) =>
    database.change((change) => removeComment(change, caller, params)),
  );

  serve(contract.deleteError, async ({ params, caller }) => {
    await database.change((change) => deleteError(change, caller, params.errorId));
    options.deleted();
  });

  serve(contract.changeErrors, async ({ body, caller }) => {
    const changed: { id: string; version: number }[] = [];
    const skipped: string[] = [];
    for (let start = 0; start < body.errors.length; start += changedAtOnce) {
      const errors = body.errors.slice(start, start + changedAtOnce);
      const done = await database.change((change) => changeErrors(change, caller, { ...body, errors }));
      changed.push(...done.changed);
      skipped.push(...done.skipped);
    }
    if (body.change === 'delete') options.deleted();
    return { changed, skipped };
  });

  serve(listReportErrors, async ({ params, caller }) => {
    const errors = await errorsOfReport(database.longReads, params.reportId, options.hashOf);
    const found = orNotFound(errors, 'There is no such report.');
    return { errors: (await holds(caller, 'DIAGNOSTICS_READ')) ? found : null };
  });
}

/** What errors can be filtered by. */
async function readErrorFilters(
  longReads: Reader,
  project: number | undefined,
): Promise<{ projects: { id: number; name: string }[]; releases: string[]; environments: string[] }> {
  const projects = await longReads
    .selectFrom('diagnostic_project')
    .select(['id', 'name'])
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  const known = await longReads
    .selectFrom('project_release')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'project_id')
    .select('release')
    .where('removed_at', 'is', null)
    .$if(project !== undefined, (query) => query.where('project_id', '=', project ?? 0))
    .orderBy('first_seen_at', 'desc')
    .limit(mostRead)
    .execute();
  return {
    projects,
    releases: [...new Set(known.map(({ release }) => release))].slice(0, most),
    environments: await environmentsOf(longReads),
  };
}

/** Each environment once, with one index lookup per environment. */
async function environmentsOf(read: Reader): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    with recursive found(value) as (
      select min(value) from error_facet where facet = 'environment'
      union all
      select (select min(value) from error_facet where facet = 'environment' and value > found.value)
      from found where found.value is not null)
    select value from found where value is not null limit ${most}`.execute(read);
  return rows.map(({ value }) => value);
}

/** One error with its counts. Throws NOT_FOUND. */
async function readError(
  read: Reader,
  errorId: string,
  wanted: WantedPeriod,
  now: number,
): Promise<FullError> {
  const row = await findError(read, errorId);
  const period = countedPeriodOf(wanted, now);
  const counts = await countsOfErrors(read, [errorId], period);
  const comments = await commentsOf(read, errorId);
  const assignees = await assigneesOf(read, 'DIAGNOSTICS_WRITE', [row], now);
  return {
    ...errorOf(row),
    assignee: assignees.get(row.assignee_id ?? '') ?? null,
    comments,
    names: await namesOf(
      read,
      comments.map(({ by }) => by),
    ),
    similar: await similarTo(read, row),
    projectName: row.projectName,
    period,
    counts: counts.get(errorId) ?? [],
    facets: await facetsOf(read, errorId),
    samples: await countRows(read.selectFrom('error_sample').where('group_id', '=', errorId)),
  };
}

async function facetsOf(read: Reader, errorId: string): Promise<FullError['facets']> {
  const rows = await read
    .selectFrom('error_facet')
    .select(['facet', 'value', 'events', 'last_seen_at'])
    .where('group_id', '=', errorId)
    .orderBy('events', 'desc')
    .orderBy('value')
    .execute();
  return Object.fromEntries(
    errorFacet.options.map((facet) => [
      facet,
      rows
        .filter((row) => row.facet === facet)
        .slice(0, errorLimits.facetValues)
        .map(({ value, events, last_seen_at: lastSeenAt }) => ({ value, events, lastSeenAt })),
    ]),
  ) as FullError['facets'];
}
