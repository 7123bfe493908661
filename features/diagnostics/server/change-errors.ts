import {
  errorList,
  type changeErrors as changeErrorsRoute,
  type ErrorChange,
  type ErrorGroup,
} from '#features/diagnostics/contract/diagnostics.ts';
import type { AuditAction } from '#features/audit/contract/audit.ts';
import type { AnswerOf, BodyOf } from '#contract/route.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { refuseIdle } from '#features/permissions/server/assignees.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { errorOf, findError } from './error-list.ts';
import { compareReleases } from './intake/release-order.ts';

const errors = versionedRows({
  find: async (read: Reader, errorId: string): Promise<ErrorGroup> => errorOf(await findError(read, errorId)),
  audited: ({ status, resolvedAfter }) => ({ status, ...(resolvedAfter === null ? {} : { resolvedAfter }) }),
  stale: 'Somebody changed this error meanwhile, or it came back. Look again, then repeat it.',
});

type StatusChange = Exclude<ErrorChange, 'delete'>;

const actions: Record<StatusChange, AuditAction> = {
  resolve: 'error.resolve',
  'resolve-in-next-release': 'error.resolve',
  reopen: 'error.reopen',
  ignore: 'error.ignore',
};

/**
 * Resolves, ignores or reopens an error. The caller names the version that the operator has read, since an event
 * may have reopened the error after that. Throws NOT_FOUND, VERSION_CONFLICT.
 */
export async function changeStatus(
  change: Change,
  actor: Caller,
  errorId: string,
  wanted: { change: StatusChange; version: number },
): Promise<ErrorGroup> {
  const before = await errors.findAt(change, errorId, wanted.version);
  await change.tx
    .updateTable('error_group')
    .set({ ...(await statusAfter(change, before, wanted.change)), version: nextVersion })
    .where('id', '=', errorId)
    .execute();
  publishList(change, errorList);
  return errors.recordWrite(change, actor, { action: actions[wanted.change], subject: errorId, before });
}

/** Assigns an error to a person who may change errors, or to nobody. Throws NOT_FOUND, VERSION_CONFLICT, INVALID_BODY. */
export async function setAssignee(
  change: Change,
  actor: Caller,
  errorId: string,
  { assigneeId, version }: { assigneeId: string | null; version: number },
): Promise<ErrorGroup> {
  const before = await errors.findAt(change, errorId, version);
  if (assigneeId !== null && assigneeId !== before.assigneeId)
    await refuseIdle(change.tx, 'DIAGNOSTICS_WRITE', assigneeId, change.at);
  await change.tx
    .updateTable('error_group')
    .set({ assignee_id: assigneeId, version: nextVersion })
    .where('id', '=', errorId)
    .execute();
  publishList(change, errorList);
  const emailOf = async (id: string | null) =>
    id === null
      ? null
      : (await change.tx.selectFrom('person').select('email').where('id', '=', id).executeTakeFirst())
          ?.email || `person ${id}`;
  await recordAudit(change, actor, {
    action: 'error.assign',
    subject: errorId,
    before: { assignee: await emailOf(before.assigneeId) },
    after: { assignee: await emailOf(assigneeId) },
  });
  return errorOf(await findError(change.tx, errorId));
}

async function statusAfter({ tx, at }: Change, error: ErrorGroup, wanted: StatusChange) {
  const acted = { resolved_at: null, resolved_in: null, returned_at: null };
  if (wanted === 'reopen') return { ...acted, status: 'open' };
  if (wanted === 'ignore') return { ...acted, status: 'ignored' };
  const last = wanted === 'resolve' ? null : await latestRelease(tx, error);
  return { ...acted, status: 'resolved', resolved_at: at, resolved_in: last };
}

/**
 * The latest release of a project: the highest release where releases have an order, else the release whose
 * first event came last; null where the project's events name none.
 */
async function latestRelease(read: Reader, { projectId, lastRelease }: ErrorGroup): Promise<string | null> {
  const rows = await read
    .selectFrom('project_release')
    .select('release')
    .where('project_id', '=', projectId)
    .orderBy('first_seen_at')
    .orderBy('release')
    .execute();
  return rows.reduce<string | null>(
    (latest, { release }) =>
      latest === null || (compareReleases(release, latest) ?? 1) > 0 ? release : latest,
    lastRelease,
  );
}

/**
 * Deletes an error for good. The error is hidden at once; its events are removed afterwards in batches. A later
 * event creates a new error. The audit names the deleted one. Throws NOT_FOUND, and VERSION_CONFLICT
 * where a version is given.
 */
export async function deleteError(
  change: Change,
  actor: Caller,
  errorId: string,
  version?: number,
): Promise<void> {
  const row = await findError(change.tx, errorId);
  const before = version === undefined ? errorOf(row) : await errors.findAt(change, errorId, version);
  await change.tx
    .updateTable('error_group')
    .set({ status: 'deleted', fingerprint: `deleted ${errorId}`, version: nextVersion })
    .where('id', '=', errorId)
    .execute();
  publishList(change, errorList);
  await errors.recordRemoval(change, actor, {
    action: 'error.delete',
    subject: errorId,
    before,
    lost: {
      error: `${before.kind}: ${before.message}`.slice(0, 120),
      project: row.projectName,
      events: before.events,
    },
  });
}

/** Applies one change to several errors; errors that are gone or have another version are skipped. */
export async function changeErrors(
  change: Change,
  actor: Caller,
  wanted: BodyOf<typeof changeErrorsRoute>,
): Promise<AnswerOf<typeof changeErrorsRoute>> {
  const changed: { id: string; version: number }[] = [];
  const skipped: string[] = [];
  const each = new Map(wanted.errors.map(({ id, version }) => [id, version]));
  for (const [id, version] of each) {
    try {
      if (wanted.change === 'delete') {
        await deleteError(change, actor, id, version);
        changed.push({ id, version });
      } else {
        const after = await changeStatus(change, actor, id, { change: wanted.change, version });
        changed.push({ id, version: after.version });
      }
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      skipped.push(id);
    }
  }
  return { changed, skipped };
}
