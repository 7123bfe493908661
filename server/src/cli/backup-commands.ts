import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { migrations } from '../features.ts';
import { BackupError } from '#features/backup/server/backup-error.ts';
import { backupNames, labelOf, withBackupFolder } from '#features/backup/server/backup-files.ts';
import { endVerification, readSettings } from '#features/backup/server/backups.store.ts';
import { verifyBackup } from '#features/backup/server/verify-backup.ts';
import { checkBackup } from '#features/backup/server/check-backup.ts';
import { inWords } from '#features/backup/server/copy-content.ts';
import { openDestination } from '#features/backup/server/destination.ts';
import { makeBackup } from '#features/backup/server/make-backup.ts';
import { withDataFolder } from '#features/backup/server/move-database.ts';
import type { Manifest } from '#features/backup/server/manifest.ts';
import { restoreBackup } from '#features/backup/server/restore-backup.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { systemClock } from '../platform/time/clock.ts';
import { resetObjectContents } from '../platform/files/contents-in-objects.ts';
import { lockFolder } from '../platform/files/data-folder.ts';
import { continueAfter, openDatabase, sqliteFile, type LastChange } from '../platform/database/database.ts';
import { settleRestored, type Ended } from '#features/backup/server/settle-restored.ts';
import type { Command, Site } from './command.ts';
import { Failure } from './failure.ts';
import { commandLineActor } from './installation.ts';
import { lineIn } from './values.ts';

const known = Object.keys(migrations);

export const backup: Command = {
  summary: 'Makes a backup of everything, also while the server runs',
  about: [
    'Makes a folder with a snapshot of the database, the files that it names, and a manifest with the SHA-256 of each. It holds all',
    'personal data, password hashes, signing keys and secrets: with it one can sign in as any person. Its owner alone may read it.',
    'On PostgreSQL all rows are read at one moment and copied into a database on SQLite first (docs/backup.md).',
  ].join('\n'),
  options: { to: { value: 'FOLDER', help: 'The folder to make, outside the data folder', required: true } },
  prepareOnSite(values) {
    const to = lineIn(values, 'to', 1, 4096);
    return async (site) => {
      const { config, progress } = site;
      const { folder, manifest } = await inOneLine(
        withDataFolder({ ...config, clock: systemClock, migrations, progress }, (dataDir) =>
          makeBackup({
            dataDir,
            objectStore: config.files,
            to,
            version: packageJson.version,
            now: systemClock.now,
            progress,
          }),
        ),
      );
      const { missing } = manifest;
      const facts = { ...factsOf(manifest), missing: missing.length };
      const unaudited = await noteInAudit(site, manifest, facts);
      return {
        result: folder,
        notes: [
          `Backup of ${manifest.createdAt}: the database (${inWords(manifest.database.bytes)}) and ${filesInWords(manifest)}.`,
          'It holds secrets: store it where only you can read it.',
          ...(missing.length === 0 ? [] : [`${missing.length} files were lost before: ${listed(missing)}.`]),
          ...(unaudited === null ? [] : [`The audit does not name this backup: ${unaudited}`]),
        ],
        json: { folder, ...facts, missing },
        failed: missing.length > 0,
      };
    };
  },
};

export const backupCheck: Command = {
  summary: 'Reads a whole backup and reports whether it is as it was written',
  about:
    'Compares every file with its SHA-256 in the manifest and has SQLite check the database. It needs no data folder.',
  options: { from: { value: 'PATH', help: 'The backup, a folder or a file', required: true } },
  prepareOnSite(values) {
    const from = lineIn(values, 'from', 1, 4096);
    return async ({ config, progress }) => {
      const { manifest, faults } = await inOneLine(
        withBackupFolder(from, config.backup.passphrase, (folder) => checkBackup(folder, progress)),
      );
      const facts = factsOf(manifest);
      return {
        result: faults.length === 0 ? 'whole' : 'damaged',
        notes: [
          `Backup of ${manifest.createdAt} by Portico ${manifest.portico} (${manifest.schema}), ${filesInWords(manifest)}.`,
          ...faults,
        ],
        json: { whole: faults.length === 0, ...facts, faults },
        failed: faults.length > 0,
      };
    };
  },
};

export const backupVerify: Command = {
  summary: 'Restores a backup into an empty folder and reports what differs',
  about: [
    'Restores it next to other temporary files (TMPDIR) as a restore does, compares the rows of each table, the sum of the database and each',
    'file with those of the manifest, and removes it again. An encrypted one takes BACKUP_PASSPHRASE. Nothing of the data is touched.',
  ].join('\n'),
  options: {},
  operand: {
    name: 'FILE',
    help: 'A file or folder, or the name of a backup in the folder of the settings; left out or "latest": the latest there',
    optional: true,
  },
  prepareOnSite(values) {
    const wanted = lineIn({ FILE: 'latest', ...values }, 'FILE', 1, 4096);
    return async (site) => {
      const unrecorded: string[] = [];
      const { manifest, faults, shown } = await withBackup(site, wanted, async (path, shown) => {
        // A database that cannot be opened is a reason to verify a backup.
        const record = (found: string[]) =>
          recordVerification(site, basename(path), found).catch((error: unknown) => {
            unrecorded.push(`Not recorded: ${error instanceof Error ? error.message : String(error)}`);
          });
        const verified = await inOneLine(
          verifyBackup({
            path,
            passphrase: site.config.backup.passphrase,
            known,
            settle: (folder, made) => settle(folder, made, { previous: null, moved: false, sends: false }),
            progress: site.progress,
          }).catch(async (error: unknown) => {
            // No room or a passphrase that is not set here says nothing about the backup.
            if (!(error instanceof BackupError) || error.reason !== 'other') throw error;
            await record([error.message]);
            throw new BackupError([error.message, ...unrecorded].join(' '), { cause: error });
          }),
        );
        await record(verified.faults);
        return { ...verified, shown };
      });
      return {
        result: faults.length === 0 ? 'verified' : 'differs',
        notes: [
          `Backup of ${manifest.createdAt} by Portico ${manifest.portico} (${manifest.schema}), ${filesInWords(manifest)}.`,
          ...faults,
          ...unrecorded,
        ],
        json: { verified: faults.length === 0, path: shown, ...factsOf(manifest), faults },
        failed: faults.length > 0,
      };
    };
  },
};

/**
 * Passes `work` the path of a backup, and its place in words for people. `wanted` is a file or folder, or names a
 * backup in the folder of automatic backups, by its name or as `latest`. Throws Failure.
 */
async function withBackup<T>(
  { config, withInstallation }: Site,
  wanted: string,
  work: (path: string, shown: string) => Promise<T>,
): Promise<T> {
  if (existsSync(wanted)) return work(wanted, wanted);
  const folder =
    config.backup.folder ?? (await withInstallation(({ database }) => readSettings(database.read))).folder;
  if (folder === null)
    throw new Failure(
      `There is no file ${wanted}, and no folder of backups is set. Give the path of a backup.`,
    );
  const destination = openDestination(config.backupStore ?? folder);
  const names = await inOneLine(backupNames(destination, labelOf(config.publicUrl)));
  const name = wanted === 'latest' ? names[0] : names.find((one) => one === wanted);
  if (name === undefined) throw new Failure(`There is no such backup in ${folder}.`);
  return inOneLine(
    destination.withFile(name, (path) =>
      work(path, config.backupStore === null ? path : `${name} in ${folder}`),
    ),
  );
}

/** Stores the result for the screen that lists the backup; does nothing where there is no database. */
async function recordVerification(site: Site, name: string, faults: string[]): Promise<void> {
  const { database, dataDir } = site.config;
  if (database.engine === 'sqlite' && !existsSync(sqliteFile(dataDir))) return;
  await site.withInstallation(({ database }) =>
    database.transaction((tx) => endVerification(tx, { name }, faults, systemClock.now())),
  );
}

export const restore: Command = {
  summary: 'Puts a backup in the place of the data; the server must be stopped',
  about: [
    'Compares every file of the backup with its sum before anything is touched. Killed at any point it leaves the old data or the new.',
    'With --replace the data that is there is put aside, and its new place is printed.',
    '',
    'What was done since the backup is undone, erasures and blocks too (docs/backup.md). All sessions end, links that were not used',
    'yet are worthless, and mail and messages of webhooks that waited are not sent: each may have been used or sent since.',
    'With --moved all of that stays: for a move, where the server was stopped before the backup was made.',
  ].join('\n'),
  options: {
    from: {
      value: 'PATH',
      help: 'The backup: a folder or a file, or the name of one where BACKUP_FOLDER has them, or "latest"',
      required: true,
    },
    replace: { value: null, help: 'Put data that is there aside' },
    moved: { value: null, help: 'Nothing has happened since the backup was made' },
  },
  prepareOnSite(values) {
    const from = lineIn(values, 'from', 1, 4096);
    const replace = values['replace'] !== undefined;
    const moved = values['moved'] !== undefined;
    return async (site) => {
      const { dataDir, database } = site.config;
      if (database.engine === 'postgres')
        throw new Failure(
          'The data is in PostgreSQL: restore without DATABASE_URL, then "portico move --to postgres" into an empty one (docs/backup.md).',
        );
      const { manifest, settled, aside } = await inOneLine(
        withBackup(site, from, (path) =>
          withBackupFolder(path, site.config.backup.passphrase, (unpacked) =>
            restoreBackup({
              from: unpacked,
              dataDir,
              replace,
              known,
              now: systemClock.now,
              settle: (folder, made, previous) =>
                settle(folder, made, { previous, moved, sends: site.config.files !== null }),
              progress: site.progress,
            }),
          ),
        ),
      );
      return {
        result: dataDir,
        notes: [
          `The data is that of ${manifest.createdAt}, with ${filesInWords(manifest)}. Start the server.`,
          ...(site.config.files === null
            ? []
            : ['The server sends the files to FILES_URL; until then they are read from the data folder.']),
          ...(moved ? [] : [endedInWords(settled), erasedAgain]),
          ...(manifest.missing.length === 0
            ? []
            : [
                `${manifest.missing.length} files had been lost before the backup was made: ${listed(manifest.missing)}.`,
              ]),
          ...(aside === null
            ? []
            : [`The data that was there is in ${aside}; remove it when it is not needed any more.`]),
        ],
        json: { dataDir, ...factsOf(manifest), moved, ended: settled, aside },
      };
    };
  },
};

export const restoreFinish: Command = {
  summary: 'Prepares a database that pg_restore has filled for the next start',
  about: [
    'Ends all sessions, makes links that were not used yet worthless, sends no mail and no messages of webhooks that waited, makes new signing',
    'keys, and lets clients read everything again. "portico restore" does the same by itself. The server must be stopped.',
  ].join('\n'),
  options: {},
  prepareOnSite() {
    return async ({ config, withInstallation }) => {
      if (config.database.engine === 'sqlite') refuseBesideServer(config.database.dataDir);
      const ended = await withInstallation(({ database, actor }) =>
        settleRestored(database, actor, { moved: false, facts: {} }),
      );
      return { result: null, notes: [endedInWords(ended), erasedAgain], json: { ended } };
    };
  },
};

const erasedAgain =
  'What was done since the backup is undone. Erase again whom you erased, and block and revoke again (docs/backup.md).';

/** Releases the lock at once, so that the database of a killed server can be noted as unused when it is closed. */
function refuseBesideServer(dataDir: string): void {
  if (!existsSync(sqliteFile(dataDir))) return;
  const hold = lockFolder(dataDir);
  if (hold === null)
    throw new Failure(`A Portico server is running on the data folder ${dataDir}. Stop it first.`);
  hold.release();
}

async function settle(
  folder: string,
  manifest: Manifest,
  { previous, moved, sends }: { previous: LastChange | null; moved: boolean; sends: boolean },
): Promise<Ended> {
  const database = await openDatabase({ engine: 'sqlite', dataDir: folder }, systemClock, migrations);
  try {
    if (previous !== null) await continueAfter(database, previous);
    const waitsSince = sends ? systemClock.now() : null;
    await database.transaction((tx) => resetObjectContents(tx, waitsSince));
    return await settleRestored(database, commandLineActor(), { moved, facts: factsOf(manifest) });
  } finally {
    await database.close();
  }
}

/** Returns why the backup cannot be noted, or null. A database of another release is not changed for the note. */
async function noteInAudit(
  site: Site,
  { schema }: Manifest,
  facts: Record<string, unknown>,
): Promise<string | null> {
  if (schema !== known.at(-1)) return `the database is of another release (${schema}).`;
  try {
    await site.withInstallation(({ database, actor }) =>
      database.change((change) =>
        recordAudit(change, actor, { action: 'backup.create', subject: 'database', after: facts }),
      ),
    );
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function factsOf({ createdAt, portico, schema, database, contents }: Manifest) {
  return {
    createdAt,
    portico,
    schema,
    files: contents.length,
    bytes: contents.reduce((sum, { bytes }) => sum + bytes, database.bytes),
  };
}

function filesInWords({ contents }: Manifest): string {
  const bytes = contents.reduce((sum, content) => sum + content.bytes, 0);
  return contents.length === 1
    ? `1 file (${inWords(bytes)})`
    : `${contents.length} files (${inWords(bytes)})`;
}

function endedInWords({ sessions, links, mails, messages }: Ended): string {
  return `Ended: sessions (${sessions}), unused links (${links}), waiting mails (${mails}), waiting messages of webhooks (${messages}).`;
}

export function listed(hashes: readonly string[]): string {
  const most = 10;
  const more = hashes.length - most;
  return [...hashes.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** Turns a BackupError, which a person can act on, into a Failure of the command line. */
export async function inOneLine<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BackupError) throw new Failure(error.message);
    throw error;
  }
}
