import { resolve } from 'node:path';
import { fates } from '../features.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { confirmationFor, createErasing } from '#features/erasure/server/erase-person.ts';
import { readPerson } from '#features/erasure/server/erasure.store.ts';
import { exportPerson } from '#features/erasure/server/export-person.ts';
import { readRetention } from '#features/erasure/server/retention.store.ts';
import { zipStream } from '../platform/files/zip-stream.ts';
import type { Command } from './command.ts';
import { Failure, UsageError } from './failure.ts';
import { writeNewFile } from './new-file.ts';
import { lineIn } from './values.ts';
import { personOf, whichPerson, whoIn } from './which-person.ts';

export const peopleExport: Command = {
  summary: 'Writes everything that is kept about a person to a ZIP file',
  about:
    'Profile, rights, reports with their pictures, files and what the audit records, without passwords and secrets.',
  startsData: false,
  options: {
    ...whichPerson,
    to: { value: 'FILE', help: 'The file to write, which must not be there yet', required: true },
  },
  prepare(values) {
    const who = whoIn(values);
    const file = resolve(lineIn(values, 'to', 1, 4096));
    return async ({ database, clock, files: store, actor }) => {
      const { id: personId } = await personOf(database.read, who);
      const missing: string[] = [];
      const entries = exportPerson(
        { read: database.read, store, onMissing: (name) => missing.push(name) },
        personId,
        { forThemself: false },
      );
      await writeNewFile(file, zipStream(entries, new Date(clock.now())));
      await database.change((change) =>
        recordAudit(change, actor, { action: 'person.export', subject: personId }),
      );
      return {
        result: file,
        notes:
          missing.length === 0
            ? [`Everything about ${who.typed} is in this file; only you can read it.`]
            : [
                `What could be read about ${who.typed} is in this file; only you can read it.`,
                'These files are stored, but could not be read, and are not in it:',
                ...missing.map((name) => `  ${name}`),
              ],
        json: { id: personId, file, missing },
        failed: missing.length > 0,
      };
    };
  },
};

export const peopleErase: Command = {
  summary: 'Erases a person permanently',
  about: [
    'Takes account, profile, rights, sessions and files, and replaces the name by a pseudonym in what others need. What becomes',
    'of reports, the setting in the console says. The last administrator cannot be erased.',
  ].join('\n'),
  startsData: false,
  options: {
    ...whichPerson,
    confirm: {
      value: 'ADDRESS|ID',
      help: 'The same once more, since this cannot be undone',
      required: true,
    },
  },
  prepare(values) {
    const who = whoIn(values);
    if (whoIn({ [who.by]: values['confirm'] }).typed !== who.typed)
      throw new UsageError(`--confirm is not what stands at --${who.by}. Nothing was erased.`);
    return async ({ database, clock, actor }) => {
      const { id: personId } = await personOf(database.read, who);
      const person = await readPerson(database.read, personId);
      if (person === null) throw new Failure(`Nobody has the id ${personId}.`);
      const { erasedReports } = await readRetention(database.read);
      const erasing = createErasing({ database, clock, fates, onFailure: () => {} });
      const { pseudonym, finished } = await erasing.erase(actor, personId, {
        confirmation: confirmationFor(person, personId),
        reports: erasedReports,
      });
      return {
        result: pseudonym,
        notes: [
          `What ${who.typed} did stands under "${pseudonym}" from now on.`,
          ...(finished ? [] : ['It was interrupted; a running server finishes it within ten minutes.']),
        ],
        json: { id: personId, pseudonym, finished },
      };
    };
  },
};
