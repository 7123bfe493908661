import {
  type DiagnosticSettings,
  getDiagnosticSettings,
  setDiagnosticSettings,
} from '#features/diagnostics/contract/projects.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { nextVersion } from '#server/platform/database/sql.ts';
import type { Core } from '#server/core.ts';
import { changedMeanwhile } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { storedSize } from './stored-size.ts';

declare module '#server/platform/database/schema.ts' {
  interface Tables {
    /** One row. */
    diagnostic_settings: {
      id: number;
      /** Events older than `event_days` are removed, and the oldest events while all exceed `event_megabytes`. */
      event_days: number;
      event_megabytes: number;
      /** 0 or 1. */
      alert_new: number;
      alert_returned: number;
      /** An error with this many events within `alert_minutes` raises an alert; null: no such alert. */
      alert_events: number | null;
      alert_minutes: number;
      /** JSON: addresses that alerts are mailed to. */
      alert_mails: string;
      changed_at: number | null;
      changed_by: string | null;
      version: number;
    };
  }
}

/** How long errors are stored, and when they raise an alert. */
export async function readSettings(read: Reader): Promise<DiagnosticSettings> {
  const row = await read.selectFrom('diagnostic_settings').selectAll().executeTakeFirstOrThrow();
  return {
    eventDays: row.event_days,
    eventMegabytes: row.event_megabytes,
    alertNew: row.alert_new === 1,
    alertReturned: row.alert_returned === 1,
    alertEvents: row.alert_events,
    alertMinutes: row.alert_minutes,
    alertMails: JSON.parse(row.alert_mails) as string[],
    version: row.version,
  };
}

export async function writeSettings(
  change: Change,
  wanted: Omit<DiagnosticSettings, 'version'>,
  changedBy: string,
): Promise<void> {
  await change.tx
    .updateTable('diagnostic_settings')
    .set({
      event_days: wanted.eventDays,
      event_megabytes: wanted.eventMegabytes,
      alert_new: wanted.alertNew ? 1 : 0,
      alert_returned: wanted.alertReturned ? 1 : 0,
      alert_events: wanted.alertEvents,
      alert_minutes: wanted.alertMinutes,
      alert_mails: JSON.stringify([...new Set(wanted.alertMails)]),
      changed_at: change.at,
      changed_by: changedBy,
      version: nextVersion,
    })
    .execute();
  change.publish('diagnostics');
}

const settings = versionedRows({
  find: (read) => readSettings(read),
  audited: ({ version: _version, ...rest }) => rest,
  stale: changedMeanwhile,
});

/** How long errors are stored, and when they raise an alert (DIAG-2). */
export function settingsRoutes(serve: Serve, { database, config }: Pick<Core, 'database' | 'config'>): void {
  const around = async () => ({
    stored: await storedSize(database.longReads),
    mails: config.mail !== null,
  });

  serve(getDiagnosticSettings, async () => ({ ...(await readSettings(database.read)), ...(await around()) }));

  serve(setDiagnosticSettings, async ({ body: { version, ...wanted }, caller }) => {
    const written = await database.change(async (change) => {
      const before = await settings.findAt(change, 'diagnostics', version);
      await writeSettings(change, wanted, caller.name);
      return settings.recordWrite(change, caller, {
        action: 'diagnostics.set',
        subject: 'diagnostics',
        before,
      });
    });
    return { ...written, ...(await around()) };
  });
}
