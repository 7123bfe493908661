import { feedbackLimits } from '@portico/contract/feedback';
import type { Core } from '../../core.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { feedbackRoutes } from './feedback.routes.ts';

/** Bug reports. */
export function createFeedback(core: Core, files: Pick<FileStore, 'write'>) {
  return {
    routes: (serve: Serve) =>
      feedbackRoutes(serve, {
        database: core.database,
        files,
        origins: core.config.feedbackOrigins,
        withoutSignIn: core.config.feedbackWithoutSignIn,
        limits: {
          sender: core.rateLimit({ burst: 10, perSecond: 1 / 6 }),
          address: core.rateLimit({ burst: 100, perSecond: 2 }),
          anonymousPictures: core.rateLimit({
            burst: feedbackLimits.anonymousBytesEach,
            perSecond: feedbackLimits.anonymousBytesEach / 86_400,
          }),
        },
      }),
  };
}
