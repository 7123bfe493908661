import { feedbackLimits } from '@portico/contract/feedback';
import type { Core } from '../../core.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { AccessControl } from '../../platform/http/access-check.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { feedbackRoutes } from './feedback.routes.ts';
import { inboxRoutes } from './inbox.routes.ts';
import { ownReportsRoutes } from './own-reports.routes.ts';
import { createReportNotices } from './report-notices.ts';
import { reportSettingsRoutes } from './report-settings.routes.ts';

export type FeedbackParts = {
  files: Pick<FileStore, 'write'>;
  rightsOf: AccessControl['rightsOf'];
};

/** Bug reports: sending them, the inbox of operators, and what their senders see of them. */
export function createFeedback(core: Core, { files, rightsOf }: FeedbackParts) {
  const { database, clock, config } = core;
  const { publicUrl } = config;
  const mail = config.mail !== null;
  const notices = createReportNotices({ clock, publicUrl });
  return {
    routes(serve: Serve) {
      feedbackRoutes(serve, {
        database,
        files,
        notices,
        origins: config.feedbackOrigins,
        withoutSignIn: config.feedbackWithoutSignIn,
        limits: {
          sender: core.rateLimit({ burst: 10, perSecond: 1 / 6 }),
          address: core.rateLimit({ burst: 100, perSecond: 2 }),
          anonymousPictures: core.rateLimit({
            burst: feedbackLimits.anonymousBytesEach,
            perSecond: feedbackLimits.anonymousBytesEach / 86_400,
          }),
        },
      });
      inboxRoutes(serve, { database, clock, notices, mail, publicUrl });
      ownReportsRoutes(serve, {
        database,
        notices,
        limit: core.rateLimit({ burst: 10, perSecond: 1 / 6 }),
      });
      reportSettingsRoutes(serve, { database, mail, rightsOf });
    },
  };
}
