import { feedbackLimits } from '@portico/contract/feedback';
import { fileLimits } from '@portico/contract/files';
import type { Reader } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { RateLimit } from '../../platform/http/rate-limit.ts';
import { bytesOf } from '../files/files.store.ts';

/** Who sends pictures; `id` is null for a sender who is not signed in. */
export type PictureSender = { id: string | null; address: string };

/** How many bytes of pictures a sender may store (BUG-6, FILE-1). */
export type PictureQuota = {
  /**
   * Checked before the bytes are written, so that no one fills the disk with what is refused afterwards.
   * Pictures of those who are not signed in count to their address.
   *
   * @throws HttpProblem STORAGE_FULL
   */
  enter(read: Reader, sender: PictureSender, bytes: number): Promise<void>;
  /**
   * Checked once more in the change that adds them, since two reports at once could each find the last free
   * bytes. Throws STORAGE_FULL.
   */
  refuseFull(read: Reader, senderId: string | null, bytes: number): Promise<void>;
};

/**
 * Pictures count to the sender's file quota; those of all who are not signed in share one quota. A report
 * over quota is refused as a whole, so that its sender knows that it can be sent without pictures.
 *
 * @param limit by address, for those who are not signed in: one for each byte
 */
export function createPictureQuota(limit: RateLimit): PictureQuota {
  async function refuseFull(read: Reader, senderId: string | null, bytes: number): Promise<void> {
    const most = senderId === null ? feedbackLimits.anonymousBytes : fileLimits.ownerBytes;
    if ((await bytesOf(read, senderId)) + bytes > most) throw quotaExceeded();
  }

  return {
    refuseFull,
    async enter(read, { id, address }, bytes) {
      await refuseFull(read, id, bytes);
      if (id !== null) return;
      try {
        limit.take(address, bytes);
      } catch (error) {
        throw error instanceof HttpProblem ? quotaExceeded() : error;
      }
    },
  };
}

function quotaExceeded(): HttpProblem {
  return new HttpProblem('STORAGE_FULL', {
    detail: 'There is no room for these pictures. The report can be sent without them.',
  });
}
