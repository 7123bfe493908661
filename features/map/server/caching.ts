import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { MapIdentity } from './request-map-server.ts';

/*
 * A picture stays in the browser, which asks each time whether it still counts: so a right that is taken holds from
 * the next picture on, also for those that the browser has. While the map server lets a picture be stored, the guard
 * answers that itself. What it needs for it is in the tag that the browser sends back: until when the picture counts,
 * for whom it was made, and the map server's own tag. A forged tag gives its sender an answer without a picture.
 */

/** Seconds, also where the map server allows more. */
const longestStored = 3_600;
const longestTag = 300;
const ownTag = /^W\/"portico-([\da-z]{1,9})-([\w-]{10})-([\w-]*)"$/;

export type Caching = {
  /** The headers of the answer that what the browser has still counts; null: the map server has to be asked. */
  fresh: Readonly<Record<string, string>> | null;
  /** What the map server is asked to compare with. */
  validators: readonly (readonly [string, string])[];
  /** The headers for what the map server answers. */
  headersFor(answered: IncomingHttpHeaders): Record<string, string>;
};

/**
 * How an answer of the map server is stored in the browser: by it alone, for one cookie, and never used unasked.
 *
 * @param sent the headers of the browser's request
 * @param identity for whom the map server draws: it may draw something else for other roles
 * @param now milliseconds
 */
export function createCaching(sent: IncomingHttpHeaders, identity: MapIdentity, now: number): Caching {
  const person = createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 10);
  const seconds = Math.floor(now / 1_000);
  const [, until = '0', madeFor = '', packed = ''] = ownTag.exec(sent['if-none-match'] ?? '') ?? [];
  const isOwn = madeFor === person;
  const known = isOwn && packed !== '' ? Buffer.from(packed, 'base64url').toString('latin1') : undefined;
  const asked = /^[\x21\x23-\x7e]*"[\x21\x23-\x7e]*"$/.test(known ?? '') ? known : undefined;
  const left = Number.parseInt(until, 36) - seconds;

  const validators: [string, string][] = [];
  if (asked !== undefined) validators.push(['if-none-match', asked]);
  const since = sent['if-modified-since'];
  if (isOwn && since !== undefined) validators.push(['if-modified-since', since]);

  return {
    fresh:
      isOwn && left > 0 && left <= longestStored
        ? { ...neverUnasked, etag: sent['if-none-match'] as string }
        : null,
    validators,
    headersFor(answered) {
      const control = answered['cache-control'] ?? '';
      if (/no-store/i.test(control)) return { ...neverUnasked, 'cache-control': 'private, no-store' };
      const stored = /no-cache/i.test(control)
        ? 0
        : Number(/(?:^|[,\s])max-age=(\d{1,8})/i.exec(control)?.[1] ?? 0);
      const theirs = answered.etag ?? asked ?? '';
      const modified = answered['last-modified'];
      if (stored === 0 && theirs === '' && modified === undefined) return neverUnasked;
      const counts = stored === 0 ? 0 : seconds + Math.min(stored, longestStored);
      const tag = theirs.length > longestTag ? '' : Buffer.from(theirs, 'latin1').toString('base64url');
      return {
        ...neverUnasked,
        // Weak, as packing on the way makes it.
        etag: `W/"portico-${counts.toString(36)}-${person}-${tag}"`,
        ...(modified === undefined ? {} : { 'last-modified': modified }),
      };
    },
  };
}

const neverUnasked = { 'cache-control': 'private, no-cache', vary: 'Cookie' } as const;
