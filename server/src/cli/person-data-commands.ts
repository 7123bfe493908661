import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createErasingOf } from '../erasing.ts';
import { recordAudit } from '../features/audit/audit.store.ts';
import { exportPerson } from '../features/erasure/export-person.ts';
import { readRetention } from '../features/erasure/retention.store.ts';
import { cleanFilename } from '../features/files/filename.ts';
import { peopleByEmail } from '../features/people/people.store.ts';
import type { Reader } from '../platform/database.ts';
import { createFileStore } from '../platform/file-store.ts';
import { zipStream } from '../platform/zip-stream.ts';
import { Failure, UsageError, type Command } from './command.ts';
import { addressIn, lineIn } from './values.ts';

export const peopleExport: Command = {
  summary: 'Writes everything that is kept about a person to a ZIP file',
  about:
    'Profile, rights, reports with their pictures, files and what the audit tells, without passwords and secrets.',
  startsData: false,
  options: {
    email: { value: 'ADDRESS', help: 'Of the person', required: true },
    to: { value: 'FILE', help: 'The file to write, which must not be there yet', required: true },
  },
  prepare(values) {
    const email = addressIn(values, 'email');
    const file = resolve(lineIn(values, 'to', 1, 4096));
    return async ({ database, clock, dataDir, actor }) => {
      const personId = await personAt(database.read, email);
      const store = createFileStore({ database, dataDir, clock });
      const entries = exportPerson({ read: database.read, store, cleanFilename }, personId, {
        forThemself: false,
      });
      const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      try {
        await pipeline(Readable.from(zipStream(entries, new Date(clock.now()))), target);
      } catch (error) {
        if ((error as { code?: string }).code === 'EEXIST') throw new Failure(`${file} is there already.`);
        throw error;
      }
      await database.change((change) =>
        recordAudit(change, actor, { action: 'person.export', subject: personId }),
      );
      return {
        result: file,
        notes: [`Everything about ${email} is in this file; only you can read it.`],
        json: { id: personId, file },
      };
    };
  },
};

export const peopleErase: Command = {
  summary: 'Erases a person for good',
  about: [
    'Takes account, profile, rights, sessions and files, and puts a name that names nobody in what others need. What becomes',
    'of reports, the setting in the console says. The last administrator cannot be erased.',
  ].join('\n'),
  startsData: false,
  options: {
    email: { value: 'ADDRESS', help: 'Of the person', required: true },
    confirm: { value: 'ADDRESS', help: 'The same once more, since this cannot be undone', required: true },
  },
  prepare(values) {
    const email = addressIn(values, 'email');
    if (addressIn(values, 'confirm') !== email)
      throw new UsageError('--confirm is not the address of --email. Nothing was erased.');
    return async ({ database, clock, actor }) => {
      const personId = await personAt(database.read, email);
      const { erasedReports } = await readRetention(database.read);
      const erasing = createErasingOf({ database, clock, onFailure: () => {} });
      const { pseudonym, finished } = await erasing.erase(actor, personId, {
        confirmation: email,
        reports: erasedReports,
      });
      return {
        result: pseudonym,
        notes: [
          `What ${email} did stands under "${pseudonym}" from now on.`,
          ...(finished ? [] : ['It was interrupted; a running server finishes it within ten minutes.']),
        ],
        json: { id: personId, pseudonym, finished },
      };
    };
  },
};

/** The person behind an address. */
async function personAt(read: Reader, email: string): Promise<string> {
  const found = await peopleByEmail(read, email);
  const [person] = found;
  if (person === undefined) throw new Failure(`Nobody has the address ${email}.`);
  if (found.length > 1) throw new Failure(`${found.length} people have the address ${email}.`);
  return person.id;
}
