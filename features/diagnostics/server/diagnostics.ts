import type { Core } from '#server/core.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import { createAlertMail } from './alerts/alert-mail.ts';
import { createAlerts } from './alerts/alerts.ts';
import { errorsRoutes } from './errors.routes.ts';
import { createIntake } from './intake/intake.ts';
import type { StoreReport } from './intake/process-envelope.ts';
import { projectsRoutes } from './projects.routes.ts';
import { createRemoval } from './remove-errors.ts';
import { sweepEvents } from './retention.ts';
import { settingsRoutes } from './settings.store.ts';
import { ownMaps } from './source-maps/apply-maps.ts';
import { sourceMapsRoutes } from './source-maps/source-maps.routes.ts';
import { createTracer } from './source-maps/tracer.ts';

/**
 * Errors that applications report with Sentry's SDKs: what comes in, and what operators read of it.
 *
 * @param parts.files the file store, for source maps
 * @param parts.webDir the built web, whose own source maps explain its errors
 * @param parts.feedback stores feedback of Sentry's SDKs in the inbox
 * @param parts.mail for alerts; null where there is no mail server
 */
export async function createDiagnostics(
  core: Core,
  parts: {
    files: { store: Pick<FileStore, 'write' | 'read'> };
    webDir: string;
    mail: Mail | null;
    productName(): string;
    feedback: { store: StoreReport };
    session: Pick<AccessControl, 'identifySession'> & { identifyAtOwnHost: AccessControl['identify'] };
    rightsOf: AccessControl['rightsOf'];
  },
) {
  const { webDir, session, rightsOf } = parts;
  const { store } = parts.files;
  const ending = new AbortController();
  const alerts = createAlerts(core, createAlertMail(core, parts));
  const intake = await createIntake(core, { onGroups: alerts.onGroups, storeReport: parts.feedback.store });
  const tracer = createTracer();
  const removal = createRemoval(core, ending.signal);
  return {
    /** The key of Portico's own project; null where an operator has revoked it. */
    ownKey: intake.ownKey,
    earlyIntake: intake.early,
    routes(serve: Serve) {
      intake.routes(serve, { ...session, identify: session.identifyAtOwnHost });
      errorsRoutes(serve, {
        ...core,
        rightsOf,
        hashOf: intake.personHash,
        maps: { store, tracer, own: ownMaps(webDir, core.config.basePath) },
        deleted: removal.begin,
      });
      projectsRoutes(serve, core, { removed: removal.begin });
      settingsRoutes(serve, core);
      sourceMapsRoutes(serve, core, { store, tracer });
    },
    sweeps: {
      'deleted errors': removal.run,
      async 'old errors'() {
        const { bytes, most } = await sweepEvents(core, ending.signal);
        intake.measured(bytes, most);
      },
      ...alerts.sweeps,
    },
    /** Called first: sweeps that take long end between two transactions. */
    endStreams: () => ending.abort(),
    /** Writes what has been accepted and sends on what waits. */
    async close() {
      await intake.close();
      await alerts.close();
      await removal.close();
      await tracer.close();
    },
  };
}
