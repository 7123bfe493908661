import { feature } from '#server/feature.ts';
import { createDailyBackup, lastBackupAt } from './daily-backup.ts';

/** Backups by the command line (`server/src/cli/backup-commands.ts`), and by itself where `BACKUP_FOLDER` is set. */
export const backupFeature = feature({
  create(core) {
    const { config, metrics } = core;
    if (config.backups === null) return {};
    metrics.add({
      type: 'gauge',
      of: 'database',
      name: 'portico_last_backup_timestamp_seconds',
      help: 'When the last backup was made, as a Unix time; 0 where none was made.',
      async read(read) {
        const at = await lastBackupAt(read);
        return (at ?? 0) / 1_000;
      },
    });
    const daily = createDailyBackup(core, config.backups);
    // Not awaited: neither the start, the other sweeps nor a stop wait for a backup.
    const begin = () => void daily.makeIfDue();
    return { start: begin, sweeps: { 'daily backup': async () => begin() }, close: daily.close };
  },
});
