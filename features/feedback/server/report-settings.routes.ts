import * as settings from '#features/feedback/contract/report-settings.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { changeReportSettings, readReportSettings } from './report-settings.ts';

export type ReportSettingsRoutesOptions = {
  database: Database;
  /** Whether this installation sends mail. */
  mail: boolean;
};

/** Whom reports are mailed to, and where their issues are written. */
export function reportSettingsRoutes(serve: Serve, { database, mail }: ReportSettingsRoutesOptions): void {
  serve(settings.getReportSettings, async () => ({ ...(await readReportSettings(database.read)), mail }));

  serve(settings.setReportSettings, async ({ body, caller }) => ({
    ...(await database.change((change) => changeReportSettings(change, caller, body))),
    mail,
  }));

  serve(settings.getIssueTracker, async () => ({
    tracker: (await readReportSettings(database.read)).tracker,
  }));
}
