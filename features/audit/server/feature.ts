import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { standardOutput } from '#server/platform/log/log-output.ts';
import { createAuditLog } from './audit-log.ts';
import { toFile, toLog } from './audit-log-output.ts';
import { auditRoutes } from './audit.routes.ts';
import type { PresentNames } from './current-names.ts';

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

/**
 * Who changed what: to read, and as a log where AUDIT_LOG names one, which is written as soon as this is
 * made.
 */
function createAudit(core: Core, { names }: { names: PresentNames }) {
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
