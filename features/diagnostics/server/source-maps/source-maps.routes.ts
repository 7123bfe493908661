import * as contract from '#features/diagnostics/contract/source-maps.ts';
import type { Core } from '#server/core.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import type { StoredContent } from '#server/platform/files/contents.ts';
import { HttpProblem, invalid, orNotFound } from '#server/platform/http/http-problem.ts';
import { readForm, roundFileBytes } from '#server/platform/http/read-form.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { readProject } from '../projects.store.ts';
import * as maps from './source-maps.store.ts';
import type { Tracer } from './tracer.ts';

const { fileBytes, allBytes } = contract.sourceMapLimits;

/** Maps that one transaction removes. */
const removedAtOnce = 100;

/** Source maps as they are uploaded, listed and removed (DIAG-2). */
export function sourceMapsRoutes(
  serve: Serve,
  core: Core,
  { store, tracer }: { store: Pick<FileStore, 'write' | 'read'>; tracer: Tracer },
): void {
  const { database } = core;
  // Bytes of refused uploads count too: they stay on the disk until a sweep.
  const bytesLimit = core.rateLimit({ burst: 2 * allBytes, perSecond: allBytes / 3_600 });

  serve(contract.listSourceMaps, async ({ query }) => {
    const releases = await maps.readMappedReleases(database.longReads, query.project);
    return {
      releases,
      bytes: await maps.bytesOfMaps(database.longReads),
      mostBytes: allBytes,
      names: await namesOf(
        database.read,
        releases.map(({ uploadedBy }) => uploadedBy),
      ),
    };
  });

  serve(contract.uploadSourceMap, async ({ query, body, caller, request }) => {
    const { project: projectId, release, file } = query;
    await readProject(database.read, projectId);
    maps.refuseFull(await maps.bytesOfMaps(database.read), 1);
    const most = fileBytes + 2 * roundFileBytes;
    bytesLimit.take(caller.id, Math.min(most, Number(request.headers['content-length'] ?? most)));
    const form = {
      headers: request.headers,
      field: contract.uploadSourceMap.form.field,
      files: 1,
      bytes: most,
    };
    const [content] = await readForm(body, form, ({ bytes }) => receive(bytes));
    const map = orNotFound(content, 'The form has no map.');
    await refuseUnreadable(map);
    const debugId = query.debugId === undefined ? null : maps.normalDebugId(query.debugId);
    return database.change(async (change) => {
      await readProject(change.tx, projectId);
      const added = await maps.putMap(change, {
        projectId,
        release,
        file,
        debugId,
        content: map,
        author: caller,
      });
      // A release has hundreds of files: the audit records its first file, and each file that replaces another.
      if (added.first || added.replaced) {
        await recordAudit(change, caller, {
          action: 'source-maps.upload',
          subject: release,
          after: { project: projectId, release, ...(added.replaced ? { file } : {}) },
        });
      }
      return { id: added.id, file, debugId, bytes: map.size };
    });
  });

  serve(contract.removeSourceMaps, async ({ query: { project, release }, caller }) => {
    const ofRelease = { project_id: project, release };
    await readProject(database.read, project);
    let removed = await database.change(async (change) => {
      const gone = await maps.removeMaps(change.tx, ofRelease, removedAtOnce);
      if (gone === 0)
        throw new HttpProblem('NOT_FOUND', { detail: 'There are no source maps of this release.' });
      await recordAudit(change, caller, {
        action: 'source-maps.delete',
        subject: release,
        before: { project, release },
      });
      return gone;
    });
    for (let gone = removed; gone === removedAtOnce; removed += gone)
      gone = await database.transaction((tx) => maps.removeMaps(tx, ofRelease, removedAtOnce));
    return { removed };
  });

  async function receive(bytes: AsyncIterable<Uint8Array>): Promise<StoredContent> {
    const content = await store.write(bytes, fileBytes).catch((error: unknown) => {
      if (!(error instanceof HttpProblem && error.code === 'TOO_LARGE')) throw error;
      throw new HttpProblem('TOO_LARGE', {
        detail: `A source map may have ${fileBytes} bytes.`,
        errors: [{ pointer: '/map', code: 'too_big', message: 'is too large' }],
      });
    });
    if (content.size === 0) throw invalid('/map', 'too_small', 'is empty');
    return content;
  }

  async function refuseUnreadable(content: StoredContent): Promise<void> {
    const fault = await tracer.check({ read: () => maps.readWhole(store, content) });
    if (fault !== null) throw invalid('/map', 'format', fault);
  }
}
