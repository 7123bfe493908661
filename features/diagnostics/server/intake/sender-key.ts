import type { IncomingHttpHeaders } from 'node:http';
import { asObject, type Json } from './envelope.ts';

/** Which project a sender names, and the key that it shows for it. */
export type SenderKey = { key: string; projectId: number | null };

const key = /^[0-9a-f]{32}$/i;

/**
 * The key in a request to a project's address: in the query `sentry_key`, or in the headers `X-Sentry-Auth` or
 * `Authorization`, written as `Sentry sentry_key=…, sentry_version=7`. Null for a request without one.
 */
export function keyOfRequest(query: unknown, headers: IncomingHttpHeaders): string | null {
  const asked = asObject(query)?.['sentry_key'];
  if (typeof asked === 'string') return keyOrNull(asked);
  for (const header of [headers['x-sentry-auth'], headers.authorization]) {
    if (typeof header !== 'string' || !/^Sentry\s/i.test(header)) continue;
    const [, found] = /[\s,]sentry_key=([^\s,]{1,64})/.exec(header.slice(0, 1_000)) ?? [];
    if (found !== undefined) return keyOrNull(found);
  }
  return null;
}

/** The key and the project in the DSN of an envelope's header, as the `tunnel` of SDKs sends it. */
export function keyOfDsn(header: Json): SenderKey | null {
  const { dsn } = header;
  if (typeof dsn !== 'string' || dsn.length > 500 || !URL.canParse(dsn)) return null;
  const { username, pathname } = new URL(dsn);
  const found = keyOrNull(username);
  const project = /\/(\d{1,9})$/.exec(pathname)?.[1];
  return found === null || project === undefined ? null : { key: found, projectId: Number(project) };
}

function keyOrNull(text: string): string | null {
  return key.test(text) ? text.toLowerCase() : null;
}
