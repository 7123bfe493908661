import { inWords } from '#features/backup/server/copy-content.ts';
import { moveDatabase } from '#features/backup/server/move-database.ts';
import { migrations } from '../features.ts';
import { systemClock } from '../platform/time/clock.ts';
import { inOneLine, listed } from './backup-commands.ts';
import type { Command } from './command.ts';
import { Failure, UsageError } from './failure.ts';
import { commandLineActor } from './installation.ts';

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
