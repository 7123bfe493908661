import { createHash, randomBytes } from 'node:crypto';
import { feedbackLimits, type saveFeedback } from '@portico/contract/feedback';
import type { AnswerOf, BodyOf } from '@portico/contract/route';
import type { Database } from '../../platform/database/database.ts';
import { contentOf, type FileStore } from '../../platform/files/file-store.ts';
import type { StoredContent } from '../../platform/files/contents.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Caller } from '../../platform/http/access-check.ts';
import { addFile } from '../files/files.store.ts';
import { addReport, isKnown, type ReportActor } from './feedback.store.ts';
import type { PictureQuota } from './picture-quota.ts';
import { refuseIncomplete } from './report-form.ts';
import { readPictures, type NamedPicture } from './sent-pictures.ts';

export type StoreReportParts = {
  database: Database;
  files: Pick<FileStore, 'write'>;
  quota: PictureQuota;
};

type StoredPicture = NamedPicture & StoredContent;

const anonymous: ReportActor = { kind: 'anybody', id: null, name: '' };

/**
 * Stores a report and answers once it is on disk (BUG-6, RUN-5): first the bytes of its pictures, then one
 * transaction with everything that names them. A crash between the two leaves unnamed bytes, which the file
 * store's sweep removes.
 *
 * @param unpack the bytes of a picture as it was sent, or null where that is no base64
 * @param address the sender's IP address
 * @throws HttpProblem INVALID_BODY, FIELDS_REQUIRED, EVENT_ID_USED, STORAGE_FULL
 */
export async function storeReport(
  { database, files, quota }: StoreReportParts,
  { caller, address }: { caller: Caller | null; address: string },
  { attachments, eventId = randomBytes(16).toString('hex'), ...report }: BodyOf<typeof saveFeedback>,
  unpack: (base64: string) => Buffer | null,
): Promise<AnswerOf<typeof saveFeedback>> {
  const reporter = caller ?? anonymous;
  const sent = await readPictures(attachments, unpack);
  const bytes = sent.reduce((sum, picture) => sum + picture.bytes.length, 0);
  // A report that is sent again gets its first answer, also when the quota is used up by now. Nothing of it
  // is written, since it may only claim to be the same.
  const known = await isKnown(database.read, eventId);
  if (!known) await refuseIncomplete(database.read, report);
  if (bytes > 0 && !known) await quota.enter(database.read, { id: reporter.id, address }, bytes);
  const pictures: StoredPicture[] = [];
  for (const picture of sent) {
    const content = known
      ? await contentOf(picture.bytes)
      : await files.write(picture.bytes, feedbackLimits.pictureBytes);
    pictures.push({ ...picture, ...content });
  }
  const contentHash = hashOf(reporter, report, pictures);
  return database.change((change) =>
    addReport(change, { ...report, eventId, contentHash, reporter }, async () => {
      // What the form asks for may have changed while the pictures were written.
      await refuseIncomplete(change.tx, report);
      // It was deleted in between.
      if (bytes > 0 && known) throw new HttpProblem('UNAVAILABLE', { retryAfter: 1 });
      if (bytes > 0) await quota.refuseFull(change.tx, reporter.id, bytes);
      const ids: string[] = [];
      for (const { bytes: _bytes, ...picture } of pictures) {
        const file = { ...picture, owner: reporter.id, contentType: 'image/png', at: change.at };
        ids.push(await addFile(change.tx, file));
      }
      return ids;
    }),
  );
}

/**
 * Equal for two reports exactly if they are the same one sent twice: by the same sender, with everything
 * alike.
 */
function hashOf(
  { kind, id }: ReportActor,
  { tags, context, ...rest }: Omit<BodyOf<typeof saveFeedback>, 'attachments' | 'eventId'>,
  pictures: readonly StoredPicture[],
): string {
  const content = [
    [kind, id],
    ...[rest, tags, context].map(inOrder),
    pictures.map(({ filename, hash }) => [filename, hash]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function inOrder(value: object): [name: string, value: unknown][] {
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1)) as [string, unknown][];
}
