import { issueTracker, type ReportSettings } from '#features/feedback/contract/report-settings.ts';
import { profileLocale } from '#features/profile/contract/profile.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { changedMeanwhile } from '#server/platform/http/http-problem.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row. */
    report_settings: {
      id: number;
      /** JSON: the addresses that receive mail about reports. */
      notified: string;
      /** The language of mail to an address that belongs to no person. */
      language: string;
      /** JSON; null: none. */
      tracker: string | null;
      changed_at: number | null;
      changed_by: string | null;
      version: number;
    };
  }
}

/** What is stored of the settings. */
export type StoredSettings = Omit<ReportSettings, 'mail'>;

/** Addresses that receive mail about reports, and the issue tracker. */
export async function readReportSettings(read: Reader): Promise<StoredSettings> {
  const row = await read.selectFrom('report_settings').selectAll().executeTakeFirstOrThrow();
  return {
    notified: JSON.parse(row.notified) as string[],
    language: profileLocale.parse(row.language),
    tracker: row.tracker === null ? null : issueTracker.parse(JSON.parse(row.tracker)),
    version: row.version,
  };
}

const settings = versionedRows({
  find: readReportSettings,
  audited: ({ notified, language, tracker }) => ({ notified, language, tracker }),
  stale: changedMeanwhile,
});

/** Throws VERSION_CONFLICT. */
export async function changeReportSettings(
  change: Change,
  actor: Caller,
  { version, notified, language, tracker }: StoredSettings,
): Promise<StoredSettings> {
  const before = await settings.findAt(change, 'report-settings', version);
  const after = {
    notified: JSON.stringify([...new Set(notified)]),
    language,
    tracker: tracker === null ? null : JSON.stringify(tracker),
  };
  if (
    after.notified === JSON.stringify(before.notified) &&
    language === before.language &&
    after.tracker === (before.tracker === null ? null : JSON.stringify(before.tracker))
  )
    return before;
  await change.tx
    .updateTable('report_settings')
    .set({ ...after, changed_at: change.at, changed_by: actor.name, version: nextVersion })
    .execute();
  return settings.recordWrite(change, actor, {
    action: 'report.set-notices',
    subject: 'report-settings',
    before,
  });
}
