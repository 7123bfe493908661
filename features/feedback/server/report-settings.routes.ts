import * as filters from '#features/feedback/contract/saved-filters.ts';
import * as settings from '#features/feedback/contract/report-settings.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { AccessControl, Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { changeReportSettings, readReportSettings } from './report-settings.ts';
import { addFilter, changeFilter, listFilters, removeFilter } from './saved-filters.ts';

export type ReportSettingsRoutesOptions = {
  database: Database;
  /** Whether this installation sends mail. */
  mail: boolean;
  rightsOf: AccessControl['rightsOf'];
};

/** Saved filters of the inbox, and whom reports are mailed to. */
export function reportSettingsRoutes(
  serve: Serve,
  { database, mail, rightsOf }: ReportSettingsRoutesOptions,
): void {
  const editor = async (caller: Caller) => ({
    caller,
    mayShare: (await rightsOf(caller)).has('REPORTS_WRITE'),
  });

  serve(filters.listSavedFilters, ({ caller }) => listFilters(database.read, caller.id));

  serve(filters.addSavedFilter, async ({ body, caller }) => {
    const by = await editor(caller);
    return database.change((change) => addFilter(change, by, body));
  });

  serve(filters.changeSavedFilter, async ({ params, body, caller }) => {
    const by = await editor(caller);
    return database.change((change) => changeFilter(change, by, params.filterId, body));
  });

  serve(filters.removeSavedFilter, async ({ params, caller }) => {
    const by = await editor(caller);
    await database.change((change) => removeFilter(change, by, params.filterId));
  });

  serve(settings.getReportSettings, async () => ({ ...(await readReportSettings(database.read)), mail }));

  serve(settings.setReportSettings, async ({ body, caller }) => ({
    ...(await database.change((change) => changeReportSettings(change, caller, body))),
    mail,
  }));

  serve(settings.getIssueTracker, async () => ({
    tracker: (await readReportSettings(database.read)).tracker,
  }));
}
