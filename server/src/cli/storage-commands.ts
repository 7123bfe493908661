import { recordAudit } from '#features/audit/server/audit.store.ts';
import { usesStore } from '#features/files/server/files.ts';
import { inWords } from '#features/backup/server/copy-content.ts';
import { moveDatabase } from '#features/backup/server/move-database.ts';
import { migrations } from '../features.ts';
import { confirmSweep } from '../platform/files/contents.ts';
import { ObjectStoreError } from '../platform/object-store/object-store-error.ts';
import { systemClock } from '../platform/time/clock.ts';
import type { Command } from './command.ts';
import { Failure, UsageError } from './failure.ts';
import { inOneLine, listed } from './backup-commands.ts';
import { commandLineActor } from './installation.ts';

export const filesSweep: Command = {
  summary: 'Counts the files that have no entry in the database, and removes them with --confirm',
  about: [
    'Files that nothing names are removed by the server after an hour, unless they may have been uploaded after the state to which the database',
    'was put back, or are so many that the database may be another one: then they stay, and the log reports it.',
    'With --confirm the server removes all that nothing names now, within ten minutes or at its next start. If a newer backup of the database',
    'exists, restore that instead: the files are still needed (docs/backup.md).',
  ].join('\n'),
  startsData: false,
  options: { confirm: { value: null, help: 'Remove these files; it cannot be undone' } },
  prepare(values) {
    const confirmed = values['confirm'] !== undefined;
    return async ({ database, clock, files, actor }) => {
      const { held, contents } = await files.count();
      if (confirmed && held > 0) {
        await confirmSweep(database, clock.now());
        await database.change((change) =>
          recordAudit(change, actor, {
            action: 'files.sweep',
            subject: 'database',
            after: { held, contents },
          }),
        );
      }
      const done = confirmed
        ? 'The server removes them within ten minutes.'
        : 'Remove them with --confirm, or restore a newer backup.';
      return {
        result: String(held),
        notes: [
          held === 0
            ? `Every file that the server keeps has its entry in the database (files: ${contents}).`
            : `The server keeps ${held} of ${contents} files although the database has no entry for them. ${done}`,
        ],
        json: { held, contents, confirmed: confirmed && held > 0 },
      };
    };
  },
};

export const filesMove: Command = {
  summary: 'Moves the files to the object store of FILES_URL, or back, also while the server runs',
  about: [
    'Each file is copied, read again and compared by its SHA-256 before it is removed where it was. Stopped at any point it goes on where it',
    'was when it is started again. The server reads from both places until then; new files go to the place that is named here.',
    'Back means to the data folder, or to the database on PostgreSQL; FILES_URL is taken away only afterwards (docs/object-storage.md).',
  ].join('\n'),
  options: {
    to: { value: 'PLACE', help: 'store: to the object store. local: back', required: true },
  },
  prepareOnSite(values) {
    const { to } = values;
    if (to !== 'store' && to !== 'local') throw new UsageError('--to is store or local.');
    return ({ config, progress, withInstallation }) =>
      withInstallation(async ({ database, files, actor }) => {
        if (config.files === null || files.objects === null)
          throw new Failure('FILES_URL names no object store.');
        if (!(await usesStore(database.read, config.files)))
          throw new Failure(
            'The server was not started with this FILES_URL. Set it there, and restart it first.',
          );
        const { moved, bytes, faults } = await files.objects
          .move(to, (done) => {
            progress(`Moved: ${done.moved} (${inWords(done.bytes)})`);
            return true;
          })
          .catch((error: unknown) => {
            if (!(error instanceof ObjectStoreError)) throw error;
            throw new Failure(`${error.message} What was moved stays moved; repeat it to go on.`, {
              code: error.code,
            });
          });
        await database.change((change) =>
          recordAudit(change, actor, {
            action: 'files.move',
            subject: 'database',
            after: { to, moved, bytes, faults: faults.length },
          }),
        );
        return {
          result: String(moved),
          notes: [`Moved: ${moved} (${inWords(bytes)}).`, ...faults],
          json: { to, moved, bytes, faults },
          failed: faults.length > 0,
        };
      });
  },
};

export const move: Command = {
  summary: 'Copies everything from SQLite to PostgreSQL, or back; the server must be stopped',
  about: [
    'DATA_DIR names the folder of SQLite, DATABASE_URL the PostgreSQL. The other one has to be empty. All rows and files are copied, and the',
    'count and the sum of each table compared. Killed at any point it leaves the source as it is, and a target that no server opens: repeat it.',
    'No one is signed out. Start the server on the new one alone: what is written to both cannot be merged.',
  ].join('\n'),
  options: { to: { value: 'ENGINE', help: 'Where to: postgres or sqlite', required: true } },
  prepareOnSite({ to }) {
    if (to !== 'postgres' && to !== 'sqlite')
      throw new UsageError(`--to holds "${to}"; expected postgres or sqlite.`);
    return async ({ config: { dataDir, database }, progress }) => {
      if (database.engine === 'sqlite')
        throw new Failure('DATABASE_URL is not set: it names the PostgreSQL.');
      const moved = await inOneLine(
        moveDatabase({
          dataDir,
          url: database.directUrl ?? database.url,
          to,
          clock: systemClock,
          actor: commandLineActor(),
          migrations,
          progress,
        }),
      );
      const { tables, files, bytes, missing } = moved;
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
      return {
        result: to,
        notes: [
          `Moved to ${to}: ${rows} rows of ${Object.keys(tables).length} tables and ${files} files (${inWords(bytes)}), compared.`,
          to === 'postgres'
            ? 'Start the server with DATABASE_URL.'
            : 'Start the server without DATABASE_URL.',
          ...(missing.length === 0 ? [] : [`${missing.length} files were lost before: ${listed(missing)}.`]),
        ],
        json: { to, rows, ...moved },
        failed: missing.length > 0,
      };
    };
  },
};
