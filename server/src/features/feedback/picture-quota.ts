import { feedbackLimits } from '@portico/contract/feedback';
import { fileLimits } from '@portico/contract/files';
import type { Reader } from '../../platform/database/database.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { RateLimit } from '../../platform/http/rate-limit.ts';
import { bytesOf } from '../files/files.store.ts';

/** Who sends pictures; `id` is null where nobody is signed in. */
export type PictureSender = { id: string | null; address: string };

/** How much there is room for (BUG-6, FILE-1). */
export type PictureQuota = {
  /**
   * Before the bytes are written, so that no one fills the disk with what is refused afterwards. Pictures of those who are not
   * signed in count to their address.
   *
   * @throws HttpProblem STORAGE_FULL
   */
  enter(read: Reader, sender: PictureSender, bytes: number): Promise<void>;
  /** Once more in the change that adds them: two reports at once do not both find the last room. Throws STORAGE_FULL. */
  refuseFull(read: Reader, senderId: string | null, bytes: number): Promise<void>;
};

/**
 * Pictures count to what their sender's files may come to; those of all who are not signed in together to a bound of their own. Where
 * there is no room the report is refused as a whole, so that its sender knows that it can be sent without pictures.
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
