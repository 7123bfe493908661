import { createHash, randomBytes } from 'node:crypto';
import { feedbackLimits, type saveFeedback } from '#features/feedback/contract/feedback.ts';
import type { AnswerOf, BodyOf } from '#contract/route.ts';
import type { FieldProblem } from '#contract/problem.ts';
import type { Database, Reader } from '#server/platform/database/database.ts';
import { contentOf, type FileStore } from '#server/platform/files/file-store.ts';
import type { StoredContent } from '#server/platform/files/contents.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { cleanPng, type CleanPng, type PngFault } from '#server/platform/files/clean-png.ts';
import { addFile } from '#features/files/server/files.store.ts';
import { profileOf } from '#features/profile/server/profile.store.ts';
import { cleanFilename } from '#features/files/server/filename.ts';
import { addReport, isKnown, type ReportActor } from './feedback.store.ts';
import type { PictureQuota } from './picture-quota.ts';
import { refuseIncomplete } from './report-form.ts';
import type { ReportNotices } from './report-notices.ts';
import type { Core } from '#server/core.ts';
import { noteRefused } from '#server/platform/database/refused.ts';

type StrangersRoom = ReturnType<typeof createStrangersRoom>;

/** Bytes of a report's rows in addition to its texts. */
const rowBytes = 1_000;
/** Milliseconds after which the sum is read again; until then this process adds what it stores. */
const readEveryMs = 60_000;
const retryAfter = 3_600;

/** Bytes of a report: its texts and its rows. */
function bytesOfReport(report: Omit<BodyOf<typeof saveFeedback>, 'attachments'>): number {
  const { message, name, email, url, tags, context } = report;

  return rowBytes + Buffer.byteLength(JSON.stringify([message, name, email, url, tags, context]));
}

/**
 * Limits the stored report texts of people who are not signed in, of all and of each network (BUG-6).
 *
 * @param totalBytes the limit for all of them; tests of other things use the default
 */
export function createStrangersRoom(
  core: Pick<Core, 'database' | 'clock' | 'addressLimit'>,
  totalBytes: number = feedbackLimits.anonymousTextBytes,
) {
  const { database, clock } = core;
  const { anonymousTextBytesEach: each } = feedbackLimits;
  const share = core.addressLimit({ burst: each, perSecond: each / 86_400 });
  let stored = { bytes: 0, readAt: Number.NEGATIVE_INFINITY };

  async function storedBytes(): Promise<number> {
    if (clock.now() - stored.readAt >= readEveryMs)
      stored = { bytes: await bytesOfStrangers(database.longReads), readAt: clock.now() };
    return stored.bytes;
  }

  async function refuse(detail: string): Promise<never> {
    await noteRefused(database, 'reports', clock.now());
    throw new HttpProblem('TOO_MANY_REQUESTS', { detail, retryAfter });
  }

  async function refuseFull(address: string, bytes = 1): Promise<void> {
    if ((await storedBytes()) + bytes > totalBytes)
      await refuse('There is no room for more reports of people who are not signed in.');
    if (share.left(address) < bytes)
      await refuse('Too much has been sent from this network without a sign-in today.');
  }

  return {
    /** Checked before a body is read. Throws TOO_MANY_REQUESTS. */
    refuseFull: (address: string) => refuseFull(address),
    /** Counts the bytes of a report that is stored. Throws TOO_MANY_REQUESTS. */
    async take(address: string, bytes: number): Promise<void> {
      await refuseFull(address, bytes);
      share.take(address, bytes);
      stored.bytes += bytes;
    },
  };
}

async function bytesOfStrangers(read: Reader): Promise<number> {
  const { bytes } = await read
    .selectFrom('report')
    .select(({ fn }) => fn.sum<number | string | null>('stranger_bytes').as('bytes'))
    .where('stranger_bytes', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

export type StoreReportParts = {
  database: Database;
  files: Pick<FileStore, 'write'>;
  quota: PictureQuota;
  room: StrangersRoom;
  notices: ReportNotices;
  /** Counts a new report; a report that is sent again is not counted. */
  count(source: 'sentry' | 'other'): void;
};

/** A picture of a report, known by its bytes, before it is stored. */
type NamedPicture = CleanPng & { filename: string };

type Fault = PngFault | 'format' | 'too_big';

const messages: Record<Fault, string> = {
  format: 'is not padded base64 (RFC 4648, 4)',
  too_big: `is a picture of more than ${feedbackLimits.pictureBytes} bytes`,
  not_a_png: 'is not a PNG',
  too_many_pixels: `is a picture of more than ${feedbackLimits.pictureSide} pixels on a side, or ${feedbackLimits.picturePixels} altogether`,
  damaged: 'is a PNG that is cut off, changed, or more than a PNG',
};

const limits = { side: feedbackLimits.pictureSide, pixels: feedbackLimits.picturePixels };

/** A picture as it was sent; null where its bytes could not be read. */
export type SentBytes = { bytes: Uint8Array | null; filename: string };

/** The sender of a report: a caller, or null if not signed in, and the IP address. */
export type ReportSender = { caller: Caller | null; address: string };

/** A report without its pictures, as the schema `report` of the contract reads it. */
export type ReportToStore = Omit<BodyOf<typeof saveFeedback>, 'attachments'>;

type StoredPicture = NamedPicture & StoredContent;

const anonymous: ReportActor = { kind: 'anybody', id: null, name: '' };

/**
 * Stores a report and answers once it is on disk (BUG-6, RUN-5): first the bytes of its pictures, then one
 * transaction with everything that names them. A crash between the two leaves unnamed bytes, which the file
 * store's sweep removes.
 *
 * A report over another protocol than `saveFeedback` (feedback of Sentry's widget) is stored by the same call,
 * with `caller: null`, the sender's address, `source: 'sentry'`, the event id of the envelope, and pictures as
 * bytes. A picture that is not PNG is refused with INVALID_BODY; the report can be sent without it.
 *
 * @param pictures the bytes as they were sent, null where they could not be read, and their file names
 * @param asksForm whether the form's required fields are checked; false for a report from another form
 * @param asCaller whether the signed-in person's name and address replace those that were sent
 * @throws HttpProblem INVALID_BODY, FIELDS_REQUIRED, EVENT_ID_USED, STORAGE_FULL, TOO_MANY_REQUESTS
 */
export async function storeReport(
  { database, files, quota, room, notices, count }: StoreReportParts,
  { caller, address }: ReportSender,
  { eventId = randomBytes(16).toString('hex'), ...sentReport }: ReportToStore,
  pictures: readonly SentBytes[],
  { asksForm = true, asCaller = false }: { asksForm?: boolean; asCaller?: boolean } = {},
): Promise<AnswerOf<typeof saveFeedback>> {
  const reporter = caller ?? anonymous;
  const report = asCaller && caller !== null ? await namedAs(database, caller, sentReport) : sentReport;
  const sent = await readPictures(pictures);
  const bytes = sent.reduce((sum, picture) => sum + picture.bytes.length, 0);
  // A report that is sent again gets its first answer, even if the quota is used up by now. Nothing of it is
  // written: an event id does not prove that it is the same report.
  const known = await isKnown(database.read, eventId);
  if (!known && asksForm) await refuseIncomplete(database.read, report);
  const strangerBytes = caller === null ? bytesOfReport(report) : null;
  if (strangerBytes !== null && !known) await room.take(address, strangerBytes);
  if (bytes > 0 && !known) await quota.enter(database.read, { id: reporter.id, address }, bytes);
  const stored: StoredPicture[] = [];
  for (const picture of sent) {
    const content = known
      ? await contentOf(picture.bytes)
      : // A report is stored also while an object store is away.
        await files.write(picture.bytes, feedbackLimits.pictureBytes, { later: true });
    stored.push({ ...picture, ...content });
  }
  const contentHash = hashOf(reporter, report, stored);
  const { isNew, ...answer } = await database.change(async (change) => {
    const { isNew, ...added } = await addReport(
      change,
      { ...report, eventId, contentHash, reporter, strangerBytes },
      async () => {
        // The required fields may have changed while the pictures were written.
        if (asksForm) await refuseIncomplete(change.tx, report);
        // It was deleted in between.
        if (bytes > 0 && known) throw new HttpProblem('UNAVAILABLE', { retryAfter: 1 });
        if (bytes > 0) await quota.refuseFull(change.tx, reporter.id, bytes);
        const ids: string[] = [];
        for (const { bytes: _bytes, ...picture } of stored) {
          const file = { ...picture, owner: reporter.id, contentType: 'image/png', at: change.at };
          ids.push(await addFile(change.tx, file));
        }
        return ids;
      },
    );
    if (isNew) {
      const reporterId = reporter.kind === 'person' ? reporter.id : null;
      await notices.created(change, { ...report, ...added, reporterId, pictures: stored.length });
    }
    return { isNew, ...added };
  });
  if (isNew) count(report.source === 'sentry' ? 'sentry' : 'other');
  return answer;
}

async function namedAs(
  { read }: Pick<Database, 'read'>,
  caller: Caller,
  report: Omit<ReportToStore, 'eventId'>,
): Promise<typeof report> {
  const profile = await profileOf(read, caller.id);
  const name = [profile?.firstName, profile?.lastName].filter((part) => part !== '').join(' ');
  return { ...report, name: name.slice(0, feedbackLimits.name), email: profile?.email ?? '' };
}

/** Equal for two reports exactly if they are the same one sent twice by the same sender. */
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

/**
 * The pictures of a report as they will be stored: their bytes decide the type, not what their sender claims.
 *
 * @throws HttpProblem INVALID_BODY that points at each part that is no picture
 */
async function readPictures(sent: readonly SentBytes[]): Promise<NamedPicture[]> {
  const errors: FieldProblem[] = [];
  const pictures: NamedPicture[] = [];
  for (const [index, { bytes, filename }] of sent.entries()) {
    const picture = await readPicture(bytes);
    if (typeof picture === 'string')
      errors.push({ pointer: `/attachments/${index}/data`, code: picture, message: messages[picture] });
    else pictures.push({ ...picture, filename: pngName(filename) });
  }
  if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
  return pictures;
}

async function readPicture(bytes: Uint8Array | null): Promise<CleanPng | Fault> {
  if (bytes === null) return 'format';
  return bytes.length > feedbackLimits.pictureBytes ? 'too_big' : cleanPng(bytes, limits);
}

/** The file name of a picture, which ends in its type. */
function pngName(filename: string): string {
  return cleanFilename(`${cleanFilename(filename).replace(/\.png$/i, '')}.png`);
}
