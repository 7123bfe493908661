import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import { fileLimits } from '#features/files/contract/files.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { networkOf } from '#server/platform/http/network.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import { bytesOf } from '#features/files/server/files.store.ts';

/** The sender of pictures; `id` is null for a sender who is not signed in. */
export type PictureSender = { id: string | null; address: string };

export type PictureQuota = ReturnType<typeof createPictureQuota>;

export type PictureLimits = {
  /** Stored bytes of senders who are not signed in, by address. */
  stored: RateLimit;
  /** Bytes of large bodies: `sender` by person or token, `address` for senders who are not signed in. */
  sender: RateLimit;
  address: RateLimit;
  /** Bytes of large bodies of all who are not signed in. */
  anonymous: RateLimit;
  /**
   * Large bodies, by sender, that are read although there is no room for their pictures: each may repeat a
   * report that was stored and whose answer was lost (BUG-5).
   */
  repeated: RateLimit;
};

/** The most bytes of a body without pictures; a larger body contains pictures. */
const withoutPictures = 262_144;

/**
 * Pictures count toward the sender's file quota; all senders who are not signed in share one quota. A report
 * over quota is refused as a whole, so that its sender knows that it can be sent without pictures.
 */
export function createPictureQuota(limits: PictureLimits) {
  async function isFull(read: Reader, senderId: string | null, bytes: number): Promise<boolean> {
    const most = senderId === null ? feedbackLimits.anonymousBytes : fileLimits.ownerBytes;
    return (await bytesOf(read, senderId)) + bytes > most;
  }

  /** Checks again in the transaction: two reports could each have found the last free bytes. Throws STORAGE_FULL. */
  async function refuseFull(read: Reader, senderId: string | null, bytes: number): Promise<void> {
    if (await isFull(read, senderId, bytes)) throw quotaExceeded();
  }

  return {
    refuseFull,
    /**
     * Checks the length of a body before it is read, so that a sender without room for its pictures, or with too
     * many bytes, costs neither memory nor time.
     *
     * @param announced bytes of the body; the most that it may have if the request does not state its length
     * @throws HttpProblem STORAGE_FULL, TOO_MANY_REQUESTS
     */
    async admit(read: Reader, { id, address }: PictureSender, announced: number): Promise<void> {
      if (announced <= withoutPictures) return;
      // Base64 has four signs for three bytes.
      const least = Math.floor(((announced - withoutPictures) * 3) / 4);
      if ((id === null && limits.stored.left(address) < least) || (await isFull(read, id, least))) {
        takeOrFull(limits.repeated, id ?? networkOf(address).network, 1);
      } else if (id === null) {
        limits.address.take(address, announced);
        limits.anonymous.take('all', announced);
      } else {
        limits.sender.take(id, announced);
      }
    },
    /**
     * Checks before the bytes are written, so that pictures that are refused later cannot fill the disk.
     * Pictures of senders who are not signed in count toward their address.
     *
     * @throws HttpProblem STORAGE_FULL
     */
    async enter(read: Reader, { id, address }: PictureSender, bytes: number): Promise<void> {
      await refuseFull(read, id, bytes);
      if (id === null) takeOrFull(limits.stored, address, bytes);
    },
  };
}

function takeOrFull(limit: RateLimit, key: string, cost: number): void {
  try {
    limit.take(key, cost);
  } catch (error) {
    throw error instanceof HttpProblem ? quotaExceeded() : error;
  }
}

function quotaExceeded(): HttpProblem {
  return new HttpProblem('STORAGE_FULL', {
    detail: 'There is no room for these pictures. The report can be sent without them.',
  });
}
