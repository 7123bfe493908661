import type { Config } from './config.ts';
import { migrations } from './features.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { openChangeFeed, type ChangeFeed } from './platform/database/change-feed.ts';
import { openDatabase, sqliteFile, type Database } from './platform/database/database.ts';
import { beginUse, endUse, hasLog } from './platform/database/sqlite-snapshot.ts';
import { lockDataFolder, makeDataFolder } from './platform/files/data-folder.ts';
import type { Logger } from './platform/log/logger.ts';
import { checkStart } from './platform/start-checks.ts';
import type { Clock } from './platform/time/clock.ts';

/** The data folder, the database and its change feed, open for one server. */
export type Storage = {
  database: Database;
  feed: ChangeFeed;
  /**
   * Closes them in order, and notes that the stop was a clean one.
   *
   * @param finish what has to be written before
   */
  close(finish: () => Promise<void>): Promise<void>;
};

/** @throws with one line for the operator where the storage cannot be used */
export async function openStorage(config: Config, clock: Clock, logger: Logger): Promise<Storage> {
  const folder = config.database.engine === 'sqlite' ? lockDataFolder(config.dataDir) : null;
  if (folder === null) makeDataFolder(config.dataDir);
  const file = folder === null ? null : sqliteFile(config.dataDir);
  const hadLog = file !== null && hasLog(file);
  const database = await openDatabase(config.database, clock, migrations);
  try {
    await checkStart({ ...config, database, clock, logger });
  } catch (error) {
    await database.close();
    folder?.release();
    throw error;
  }
  if (file !== null && beginUse(file, hadLog).logIsMissing) await reportMissingLog(database, logger);
  const feed = await openChangeFeed(database, logger);

  /** Answers false where it failed, as on a full disk. */
  async function attempt(work: () => void | Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'the clean stop could not be recorded');
      return false;
    }
  }

  return {
    database,
    feed,
    async close(finish) {
      const noteEnd = () => {
        if (file !== null) endUse(file);
      };
      await feed.close();
      await attempt(finish);
      const isNoted = await attempt(noteEnd);
      await database.close();
      // The log is removed by now, which makes room on a full disk.
      if (!isNoted) await attempt(noteEnd);
      folder?.release();
    },
  };
}

/** Reports the missing log in the audit as well: messages are soon forgotten, and the loss is noticed later. */
async function reportMissingLog(database: Database, logger: Logger): Promise<void> {
  const { at } = await database.read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  const lastChange = new Date(at).toISOString();
  logger.error(
    { lastChange },
    'the database file was in use when it was written last, and its log (portico.sqlite-wal) is missing: what was written last is lost. ' +
      'A copy of a running server is made by "portico backup" (docs/backup.md)',
  );
  const portico: Actor = { kind: 'start', id: null, name: 'Portico' };
  await database.change((change) =>
    recordAudit(change, portico, {
      action: 'database.log-missing',
      subject: 'database',
      after: { lastChange },
    }),
  );
}
