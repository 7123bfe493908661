import { feedbackLimits, type saveFeedback } from '#features/feedback/contract/feedback.ts';
import type { BodyOf } from '#contract/route.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { noteRefused } from '#server/platform/database/refused.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';

export type StrangersRoom = ReturnType<typeof createStrangersRoom>;

/** Bytes of a report's rows in addition to its texts. */
const rowBytes = 1_000;
/** Milliseconds after which the sum is read again; until then this process adds what it stores. */
const readEveryMs = 60_000;
const retryAfter = 3_600;

/** Bytes of a report: its texts and its rows. */
export function bytesOfReport(report: Omit<BodyOf<typeof saveFeedback>, 'attachments'>): number {
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
