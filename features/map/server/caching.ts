import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { MapIdentity } from './request-map-server.ts';

/*
 * The browser caches a picture and asks before each use whether it is still valid, so that a removed right applies
 * at the next use, also to cached pictures. While the map server lets a picture be stored, the guard answers that
 * itself. The ETag that the browser sends back holds what the guard needs: until when the picture is valid, for
 * whom it was made, and the map server's own ETag. A forged ETag gives its sender an answer without a picture.
 */

/** How long a picture is valid at most, even where the map server allows more; seconds. */
const longestStored = 3_600;
const longestTag = 300;
const ownTag = /^W\/"portico-([\da-z]{1,9})-([\w-]{10})-([\w-]*)"$/;

export type Caching = {
  /** The headers of a 304, if the browser's copy is still valid; null: the map server has to be asked. */
  fresh: Readonly<Record<string, string>> | null;
  /** The conditional headers for the request to the map server. */
  validators: readonly (readonly [string, string])[];
  /** The headers to send with an answer of the map server. */
  headersFor(answered: IncomingHttpHeaders): Record<string, string>;
};

/**
 * How a browser caches an answer of the map server: privately, for one cookie, and never used without asking.
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
        // The ETag is weak, since compression on the way would make it weak.
        etag: `W/"portico-${counts.toString(36)}-${person}-${tag}"`,
        ...(modified === undefined ? {} : { 'last-modified': modified }),
      };
    },
  };
}

/** Of an answer that depends on the person: asked for again each time. */
export const neverUnasked = { 'cache-control': 'private, no-cache', vary: 'Cookie' } as const;
