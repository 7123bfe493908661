import { getDiagnosticSettings, setDiagnosticSettings } from '#features/diagnostics/contract/settings.ts';
import type { Core } from '#server/core.ts';
import { changedMeanwhile } from '#server/platform/http/refusals.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { versionedRows } from '#features/audit/server/versioned-rows.ts';
import { readSettings, writeSettings } from './settings.store.ts';
import { storedSize } from './stored-size.ts';

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
