import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Config } from '../config.ts';
import { migrations } from '../features.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import {
  createAccounts,
  embeddedIssuer,
  type Accounts,
} from '#features/identity-provider/server/accounts.ts';
import { createOperations, type Operations } from '#features/maintenance/server/operations.ts';
import { createAdministration, type Administration } from '#features/people/server/administration.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import { createFileStore, type FileStore } from '../platform/files/file-store.ts';
import { lockFolder, makeDataFolder } from '../platform/files/data-folder.ts';
import { openDatabase, sqliteFile, type Database } from '../platform/database/database.ts';
import { endUse, hasLog } from '../platform/database/sqlite-snapshot.ts';
import { Failure } from './failure.ts';

/** What commands work on: the database itself, so that they need no server and disturb none. */
export type Installation = {
  database: Database;
  clock: Clock;
  /** Where files are, or are received. */
  dataDir: string;
  /** The bytes of files. */
  files: FileStore;
  accounts: Accounts;
  administration: Administration;
  publicUrl: string;
  /** Where people sign in. */
  issuer: string;
  maintenance: Operations;
  /** How long a session lasts at most. */
  sessionMaxMs: number;
  /** The actor in the audit: the system's user. */
  actor: Actor;
  close(): Promise<void>;
};

/**
 * Opens the installation that the configuration names. A data folder is made only where `startsData` is set.
 */
export async function openInstallation(
  config: Config,
  { startsData }: { startsData: boolean },
): Promise<Installation> {
  const { database: location } = config;
  if (location.engine === 'sqlite') {
    if (!startsData && !existsSync(sqliteFile(location.dataDir))) {
      throw new Failure(`There is no data of Portico in ${location.dataDir}. DATA_DIR names another folder.`);
    }
    makeForCommand(location.dataDir);
  }
  const clock = systemClock;
  const hadLog = location.engine === 'sqlite' && hasLog(sqliteFile(location.dataDir));
  const database = await openDatabase(location, clock, migrations).catch((error: unknown) => {
    const { message, code } = error as { message: string; code?: string };
    throw new Failure(`The database cannot be opened: ${message || code}`);
  });
  if (hadLog) noteUnused(config.dataDir);
  const accounts = createAccounts({ database, clock, publicUrl: config.publicUrl });
  const administration = createAdministration({
    accounts: { issuer: embeddedIssuer, invite: accounts.invite, renewLink: accounts.renewLink },
    awaitPerson: null,
    // A person is notified only of a change of roles alone, and no command makes such a change.
    notifyPerson: async () => {},
  });
  return {
    database,
    clock,
    dataDir: config.dataDir,
    files: createFileStore({ database, clock, dataDir: config.dataDir, objectStore: config.files }),
    publicUrl: config.publicUrl,
    accounts,
    administration,
    issuer: config.oidc?.issuer ?? embeddedIssuer,
    maintenance: createOperations(clock),
    actor: commandLineActor(),
    sessionMaxMs: config.sessionMaxMs,
    close: () => database.close(),
  };
}

/**
 * After a server was killed, the last process that closes the database merges its log into the file: from then on
 * the file is complete by itself.
 */
function noteUnused(dataDir: string): void {
  const folder = lockFolder(dataDir);
  if (folder === null) return;
  endUse(sqliteFile(dataDir));
  folder.release();
}

/** The actor that the audit records for commands. */
export function commandLineActor(): Actor {
  return { kind: 'command-line', id: null, name: userName() };
}

function makeForCommand(dataDir: string): void {
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw new Failure((error as Error).message);
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user number without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
