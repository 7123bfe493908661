import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import type { Fates } from '#server/platform/database/schema.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { createErasing } from './erase-person.ts';
import { erasureRoutes } from './erasure.routes.ts';
import { sweepOldReports } from './retention.ts';

export const erasureFeature = feature({
  create: createErasure,
  fates: {
    retention: { 'not personal': ['erased_reports'], name: ['changed_by'] },
    erasure: { own: ['person_id', 'pseudonym', 'emails', 'full_name', 'reports'] },
  },
});

/** Erasing a person, their export, and how long reports are stored. */
function createErasure(
  core: Core,
  { files, fates }: { files: { store: Pick<FileStore, 'read'> }; fates: Fates },
) {
  const erasing = createErasing({
    ...core,
    fates,
    onFailure: (error) => core.logger.error({ err: error }, 'an erasure was interrupted; it goes on later'),
  });
  return {
    /** Goes on with what an earlier process began. */
    start: erasing.resume,
    routes: (serve: Serve) =>
      erasureRoutes(serve, {
        ...core,
        fates,
        erasing,
        store: files.store,
        limit: core.rateLimit({ burst: 20, perSecond: 1 / 10 }),
      }),
    sweeps: { 'old reports': () => sweepOldReports(core), erasures: erasing.resume },
  };
}
