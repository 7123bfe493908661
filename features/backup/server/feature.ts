import { feature } from '#server/feature.ts';
import * as contract from '#features/backup/contract/backups.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { invalid, refuseStale } from '#server/platform/http/http-problem.ts';
import { createBackups, inForce, withoutBackupSince, type BackupsByItself } from './backups.ts';
import { createBackupTables, lastGood, readRuns, readSettings, writeSettings } from './backups.store.ts';
import { BackupError } from './backup-error.ts';
import { requireFolder, requireWritable } from './destination.ts';
import { slotsAround } from './schedule.ts';

export const backupFeature = feature({
  migrations: { '0058-backups': { up: createBackupTables } },
  create(core, { migrations }) {
    const byItself = createBackups(core, migrations);
    return {
      routes: (serve) => backupsRoutes(serve, core, byItself),
      start: byItself.begin,
      sweeps: byItself.sweeps,
      close: byItself.close,
    };
  },
  fates: {
    backup_settings: { 'not personal': ['folder', 'time', 'zone'] },
    backup_run: {
      'not personal': ['id', 'state', 'started_by', 'name', 'progress', 'reason', 'detail', 'faults'],
    },
  },
});

const shownRuns = 30;

function backupsRoutes(serve: Serve, { config, database, clock }: Core, byItself: BackupsByItself): void {
  async function shown(): Promise<contract.Backups> {
    const now = clock.now();
    const { read } = database;
    const stored = await readSettings(read);
    const settings = inForce(stored, config);
    const since = await withoutBackupSince(read, config);
    const { passphrase, ...given } = config.backup;
    return {
      settings,
      fixed: (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== null),
      encrypted: passphrase !== null,
      lastGoodAt: await lastGood(read),
      nextAt: settings.folder !== null ? slotsAround(settings, now).next : null,
      old: since !== null && now - since > contract.backupOldMs,
      runs: await readRuns(read, shownRuns),
      version: stored.version,
    };
  }

  serve(contract.getBackups, shown);

  serve(contract.setBackups, async ({ body, caller }) => {
    const { version, ...sent } = body;
    const { passphrase: _passphrase, ...given } = config.backup;
    const fixed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    if (sent.folder !== null && !('folder' in fixed)) await checkFolder(sent.folder, config.dataDir);
    await database.change(async (change) => {
      const before = await readSettings(change.tx);
      refuseStale(before, version);
      // The stored values of settings that the environment fixes stay, for the day on which it no longer sets them.
      const stored = inForce(before, { backup: noneFixed });
      const { folder, time, zone, keep, verifyWeekly } = {
        ...sent,
        ...Object.fromEntries(Object.keys(fixed).map((name) => [name, stored[name as keyof typeof stored]])),
      };
      const isOn = (config.backup.folder ?? folder) !== null;
      await writeSettings(change.tx, {
        folder,
        time,
        zone,
        keep,
        verify_weekly: verifyWeekly ? 1 : 0,
        since: isOn ? (before.since ?? change.at) : null,
      });
      await recordAudit(change, caller, {
        action: 'backup.update',
        subject: 'backups',
        before: stored,
        after: inForce(await readSettings(change.tx), { backup: noneFixed }),
      });
    });
    return shown();
  });

  serve(contract.startBackup, async ({ caller }) => {
    await byItself.startByPerson();
    await database.change((change) =>
      recordAudit(change, caller, { action: 'backup.start', subject: 'database' }),
    );
    return shown();
  });

  serve(contract.verifyStoredBackup, async ({ params, caller }) => {
    await byItself.startVerification(params.runId);
    await database.change((change) =>
      recordAudit(change, caller, { action: 'backup.verify', subject: 'database' }),
    );
    return shown();
  });
}

const noneFixed = { folder: null, time: null, zone: null, keep: null, verifyWeekly: null, passphrase: null };

async function checkFolder(folder: string, dataDir: string): Promise<void> {
  try {
    await requireFolder(folder, dataDir);
    await requireWritable(folder);
  } catch (error) {
    if (error instanceof BackupError) throw invalid('/folder', error.reason, error.message);
    throw error;
  }
}
