import type { IncomingMessage } from 'node:http';
import type { ClientKeyKind } from '#features/flags/contract/flags.ts';
import type { PreparedAnswer } from '#server/platform/http/prepared-answers.ts';
import type { UsageCounts } from './usage-counts.ts';
import { plainFor, type Coding, type Payload, type PreparedBody } from './payload.ts';

// Headers of GrowthBook's protocol, as its SDKs use it. Any page may read the answers, which carry no cookies.
// The streaming hint must be exposed, or a cross-origin SDK never streams.
export const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sse-support, etag',
  'x-sse-support': 'enabled',
};
export const json = 'application/json; charset=utf-8';
const plain = { ...crossOrigin, 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' };

/** The smallest coding that the client takes. */
export function codingOf(accepted: string | string[] | undefined): Coding {
  const codings = String(accepted ?? '')
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !/;\s*q=0(\.0*)?$/.test(coding))
    .map((coding) => coding.split(';', 1)[0]);
  return codings.includes('br') ? 'br' : codings.includes('gzip') ? 'gzip' : 'identity';
}

/** The strong entity tag in a coding: one version has a different tag in each coding (RFC 9110, 8.8.3.3). */
export function taggedAs(etag: string, coding: Coding): string {
  return coding === 'identity' ? `"${etag}"` : `"${etag}-${coding}"`;
}

/** Whether the client already has this version, in any coding. */
export function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.includes(`"${etag}`) === true;
}

/** The headers of the flags for a plain key, without the length. */
export function plainHeaders(body: PreparedBody, coding: Coding, held: boolean): Record<string, string> {
  return {
    ...plain,
    etag: taggedAs(body.etag, coding),
    ...(held ? {} : { 'content-type': json }),
    ...(held || coding === 'identity' ? {} : { 'content-encoding': coding }),
  };
}

const path = '/api/features/';
const nothing = Buffer.alloc(0);

export type PlainAnswersOptions = {
  current(): Payload;
  kindOf(clientKey: string): ClientKeyKind | null;
  counts: Pick<UsageCounts, 'whole'>;
  /** The headers that every answer of the server carries. */
  headers: Readonly<Record<string, string>>;
};

/** Answers `GET /api/features/{clientKey}` of a plain key from memory; null for everything else. */
export function createPlainAnswers({ current, kindOf, counts, headers }: PlainAnswersOptions) {
  let made: { of: Payload; answers: Map<string, PreparedAnswer> } | null = null;

  function answer(payload: Payload, plain: PreparedBody, coding: Coding, held: boolean): PreparedAnswer {
    if (made?.of !== payload) made = { of: payload, answers: new Map() };
    const which = `${held} ${coding} ${plain.etag}`;
    const known = made.answers.get(which);
    if (known !== undefined) return known;
    const body = held ? nothing : plain[coding];
    const all = {
      ...headers,
      ...plainHeaders(plain, coding, held),
      ...(held ? {} : { 'content-length': String(body.length) }),
    };
    const next: PreparedAnswer = { status: held ? 304 : 200, headers: Object.entries(all).flat(), body };
    made.answers.set(which, next);
    return next;
  }

  return (request: IncomingMessage): PreparedAnswer | null => {
    const { url = '' } = request;
    if (request.method !== 'GET' || !url.startsWith(path)) return null;
    const query = url.indexOf('?', path.length);
    const clientKey = url.slice(path.length, query === -1 ? undefined : query);
    if (kindOf(clientKey) !== 'plain') return null;
    counts.whole(clientKey);
    const payload = current();
    const body = plainFor(payload, clientKey);
    const { 'accept-encoding': accepted, 'if-none-match': held } = request.headers;
    return answer(payload, body, codingOf(accepted), held !== undefined && isHeld(held, body.etag));
  };
}
