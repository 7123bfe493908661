import { recordAudit } from '#features/audit/server/audit.store.ts';
import { confirmSweep } from '../platform/files/contents-agreement.ts';
import { createFileStore } from '../platform/files/file-store.ts';
import type { Command } from './command.ts';

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
    return async ({ database, clock, dataDir, actor }) => {
      const { held, contents } = await createFileStore({ database, dataDir, clock }).count();
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
