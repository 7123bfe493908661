import * as contract from '#features/diagnostics/contract/projects.ts';
import type { Core } from '#server/core.ts';
import { countRows } from '#server/platform/database/sql.ts';
import { changedMeanwhile, HttpProblem, invalid, orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { targetBelow } from '#server/platform/http/paths.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import * as store from './projects.store.ts';

const projects = versionedRows({
  find: (read, id) => store.readProject(read, Number(id)),
  // The key of the other host's DSN stays out of the audit.
  audited: ({ name, forwardTo }) => ({ name, forwardTo: forwardTo?.replace(/\/\/[^@]*@/, '//…@') ?? null }),
  stale: changedMeanwhile,
});

/** Projects and their keys, as the settings show them (DIAG-2). */
export function projectsRoutes(
  serve: Serve,
  { database, config }: Pick<Core, 'database' | 'config'>,
  { removed }: { removed(): void },
): void {
  const { publicUrl } = config;

  function withDsn({ keys, ...rest }: store.StoredProject): contract.Project {
    return { ...rest, keys: keys.map((key) => ({ ...key, dsn: dsnOf(publicUrl, key.key, rest.id) })) };
  }

  serve(contract.listProjects, async () => {
    const all = await store.readProjects(database.read);
    const makers = all.flatMap(({ createdBy, keys }) => [createdBy, ...keys.map((key) => key.createdBy)]);
    return { projects: all.map(withDsn), names: await namesOf(database.read, makers) };
  });

  serve(contract.addProject, ({ body, caller }) =>
    database.change(async (change) => {
      const subject = String(await store.insertProject(change, body.name, caller));
      return withDsn(
        await projects.recordWrite(change, caller, { action: 'diagnostics-project.create', subject }),
      );
    }),
  );

  serve(contract.changeProject, ({ params, body: { version, ...wanted }, caller }) =>
    database.change(async (change) => {
      const subject = String(params.projectId);
      const before = await projects.findAt(change, subject, version);
      const forwardTo =
        wanted.forwardTo === before.forwardTo
          ? before.forwardTo
          : forwardAddress(wanted.forwardTo, publicUrl);
      await store.updateProject(change, params.projectId, { ...wanted, forwardTo });
      return withDsn(
        await projects.recordWrite(change, caller, { action: 'diagnostics-project.update', subject, before }),
      );
    }),
  );

  serve(contract.removeProject, async ({ params: { projectId }, caller }) => {
    await database.change(async (change) => {
      const before = await store.readProject(change.tx, projectId);
      if (projectId === contract.ownProject)
        throw new HttpProblem('CONFLICT', { detail: "Portico's own project cannot be removed." });
      const errors = await countRows(
        change.tx
          .selectFrom('error_group')
          .where('project_id', '=', projectId)
          .where('status', '!=', 'deleted'),
      );
      await store.hideProject(change, projectId);
      await projects.recordRemoval(change, caller, {
        action: 'diagnostics-project.delete',
        subject: String(projectId),
        before,
        lost: { errors },
      });
    });
    removed();
  });

  serve(contract.addProjectKey, ({ params: { projectId }, caller }) =>
    database.change(async (change) => {
      const { keys } = await store.readProject(change.tx, projectId);
      const { keysEach } = contract.projectLimits;
      if (keys.length >= keysEach)
        throw new HttpProblem('CONFLICT', {
          detail: `A project may have ${keysEach} keys. Revoke one first.`,
        });
      const key = await store.insertKey(change, projectId, caller);
      await recordAudit(change, caller, {
        action: 'diagnostics-project.add-key',
        subject: String(projectId),
        after: { key },
      });
      return { key, dsn: dsnOf(publicUrl, key, projectId), createdAt: change.at, createdBy: caller.name };
    }),
  );

  serve(contract.revokeProjectKey, ({ params: { projectId, key }, caller }) =>
    database.change(async (change) => {
      const { keys } = await store.readProject(change.tx, projectId);
      orNotFound(
        keys.find((each) => each.key === key),
        'There is no such key.',
      );
      await store.markRevoked(change, key, caller.name);
      await recordAudit(change, caller, {
        action: 'diagnostics-project.revoke-key',
        subject: String(projectId),
        before: { key },
      });
    }),
  );
}

/** The DSN that an SDK is configured with (develop.sentry.dev, "DSN"). */
function dsnOf(publicUrl: string, key: string, projectId: number): string {
  const url = new URL(publicUrl);
  url.username = key;
  return `${url.href.replace(/\/$/, '')}/${projectId}`;
}

/**
 * Checks the DSN of another host: `https://<key>@<host>/<project>`, below a path where the host has one.
 * Returns the DSN without spaces; null for an empty one. Throws INVALID_BODY that points at `forwardTo`.
 *
 * @param publicUrl the installation's own address, which is refused: it would forward to itself for ever
 */
function forwardAddress(dsn: string | null, publicUrl: string): string | null {
  const given = dsn?.trim() ?? '';
  if (given === '') return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !isDsn(url))
    throw invalid('/forwardTo', 'format', 'must be a DSN: https://<key>@<host>/<project>');
  const own = new URL(publicUrl);
  if (url.host === own.host && targetBelow(url.pathname, own.pathname.replace(/\/$/, '')) !== null)
    throw invalid('/forwardTo', 'own_address', 'is this installation itself');
  return url.href;
}

function isDsn({ username, password, pathname, search, hash }: URL): boolean {
  return (
    /^[\w-]{1,64}$/.test(username) &&
    /^[\w-]{0,64}$/.test(password) &&
    /^\/(?:[\w.~-]+\/)*\d{1,20}$/.test(pathname) &&
    search === '' &&
    hash === ''
  );
}
