import { Readable } from 'node:stream';
import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import type { Ground } from '#server/ground.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { standardOutput } from '#server/platform/log/log-output.ts';
import { exportAudit, getAuditEntry, listAudit } from '#features/audit/contract/audit.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import { createCursor } from '#server/platform/http/cursor.ts';
import { createAuditLog, toFile, toLog } from './audit-log.ts';
import type { AuditReader } from './current-names.ts';
import type { Place } from './audit-scan.ts';
import { listAudit as readPage, readAuditEntry } from './audit-list.ts';
import { exportLines, timeOffsetOf } from './export-lines.ts';

export const auditFeature = feature({
  create: createAudit,
  fates: {
    audit: {
      'not personal': ['id', 'actor_kind', 'action'],
      rewritten: ['actor_name', 'before', 'after', 'search_key', 'client', 'client_system'],
      id: ['actor_id', 'subject'],
    },
  },
});

/** The audit of who changed what, to read; from now on also written to the log that AUDIT_LOG names, if any. */
function createAudit(core: Core, { names }: Ground) {
  const { auditLog: wanted } = core.config;
  const log =
    wanted === null
      ? null
      : createAuditLog({
          ...core,
          names,
          output: wanted === 'stdout' ? toLog(standardOutput()) : toFile(wanted.file),
        });
  return {
    routes: (serve: Serve) => auditRoutes(serve, { read: core.database.longReads, names, clock: core.clock }),
    close: async () => log?.close(),
  };
}

const place = createCursor<Place>(
  ({ at, id }) => `${at}.${id}`,
  (cursor) => {
    const [, at, id] = /^(\d{1,16})\.([A-Za-z0-9_-]{1,64})$/.exec(cursor) ?? [];
    return id === undefined || Number(at) > Number.MAX_SAFE_INTEGER ? null : { at: Number(at), id };
  },
);

/** Who changed what: to read, to search and to take away. Nothing here writes. */
function auditRoutes(serve: Serve, { clock, ...reader }: AuditReader & { clock: Clock }): void {
  serve(listAudit, async ({ query: { cursor, limit, ...filter } }) => {
    const { entries, next, lookedBackTo } = await readPage(reader, filter, {
      behind: place.read(cursor),
      limit,
    });
    return { entries, next: place.write(next), lookedBackTo };
  });

  serve(getAuditEntry, async ({ params }) =>
    orNotFound(await readAuditEntry(reader, params.entryId), 'There is no such entry.'),
  );

  serve(exportAudit, ({ query: { format, ...filter }, request, reply }) => {
    const offset = timeOffsetOf(request.headers);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    reply.headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="portico-audit-${day}.${format}"`,
      'content-security-policy': "default-src 'none'; sandbox",
    });
    reply.type(
      format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson; charset=utf-8',
    );
    const lines = request.method === 'HEAD' ? [] : exportLines(reader, filter, { format, offset });
    void reply.send(Readable.from(lines, { objectMode: false }));
  });
}
