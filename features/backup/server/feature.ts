import { feature } from '#server/feature.ts';
import { createBackups } from './backups.ts';
import { backupsRoutes } from './backups.routes.ts';
import { createBackupTables } from './backups.store.ts';

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
