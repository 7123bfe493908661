import type { Reader } from '#server/platform/database/database.ts';
import type { FileStore } from '#server/platform/files/file-store.ts';
import type { ZipEntry } from '#server/platform/files/zip-stream.ts';
import { cleanFilename } from '#features/files/server/filename.ts';
import { auditPages, factsOf, filePages, historyPages, isStored, reportPages } from './person-data.ts';

export type ExportParts = {
  read: Reader;
  store: Pick<FileStore, 'read'>;
  /** Called for each stored file that could not be read, with its name in the export. */
  onMissing(name: string, error: unknown): void;
};

/**
 * Everything that is stored about a person, file by file, so that nothing large is held in memory (BUG-10).
 * An export for the person leaves out what concerns others: the texts of what they did to others, and which
 * operators did something. A stored file that cannot be read does not stop the export; `not-included.txt`
 * names it.
 *
 * @param forThemself whether the person asks, and not an operator
 */
export async function* exportPerson(
  parts: ExportParts,
  personId: string,
  { forThemself }: { forThemself: boolean },
): AsyncGenerator<ZipEntry, void, undefined> {
  const { read } = parts;
  yield { name: 'READ-ME.txt', bytes: [Buffer.from(readMe)] };
  yield { name: 'person.json', bytes: [json(await factsOf(read, personId))] };
  yield { name: 'reports.json', bytes: list(reportPages(read, personId, { forThemself })) };
  yield { name: 'audit.json', bytes: list(auditPages(read, personId, { forThemself })) };
  yield { name: 'maintenance.json', bytes: list(historyPages(read, personId)) };
  const missing: string[] = [];
  for await (const files of filePages(read, personId)) {
    for (const file of files) {
      const folder = file.report === null ? 'files' : `reports/${file.report}`;
      const name = `${folder}/${file.id}-${cleanFilename(file.filename)}`;
      const bytes = await parts.store.read(file).catch(async (error: unknown) => {
        // A file that was removed while others were being read is not missing.
        if (!(await isStored(read, file.id))) return null;
        missing.push(name);
        parts.onMissing(name, error);
        return null;
      });
      if (bytes === null) continue;
      try {
        yield { name, bytes };
      } finally {
        // A reader that goes away before this file would leave it open.
        bytes.destroy();
      }
    }
  }
  if (missing.length > 0)
    yield { name: notIncluded, bytes: [Buffer.from(`${notIncludedHead}\n${missing.join('\n')}\n`)] };
}

const notIncluded = 'not-included.txt';
const notIncludedHead = `This export is not complete. These files are stored, but could not be read:
`;

const readMe = `What is kept here about one person.

person.json       who they are here: profile, account, roles and rights with who gave them, groups, sessions, API tokens, and
                  how many errors are stored that they met
reports.json      bug reports that they sent, with what became of them
reports/          the pictures of these reports, in a folder for each by its number
files/            other files that they uploaded, and their picture
audit.json        what is recorded of what they did, and of what was done to their account
maintenance.json  what they did to maintenance

Where ${notIncluded} is here too, it names the files that could not be read: then this export is not complete.

Times are UTC. Passwords, secrets and tokens are kept as one-way hashes, if at all, and are not in here.
`;

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** Pages of rows as one JSON list. */
async function* list(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Buffer, void, undefined> {
  let first = true;
  for await (const rows of pages) {
    const lines = rows.map((row) => {
      const before = first ? '[\n' : ',\n';
      first = false;
      return before + JSON.stringify(row, null, 2);
    });
    if (lines.length > 0) yield Buffer.from(lines.join(''));
  }
  yield Buffer.from(first ? '[]\n' : '\n]\n');
}
