import { targetBelow } from '#server/platform/http/base-path.ts';
import { invalid } from '#server/platform/http/refusals.ts';

/**
 * Checks the DSN of another host: `https://<key>@<host>/<project>`, below a path where the host has one.
 * Answers it without spaces; null for an empty one. Throws INVALID_BODY that points at `forwardTo`.
 *
 * @param publicUrl the installation's own address, which would receive its envelopes for ever
 */
export function forwardAddress(dsn: string | null, publicUrl: string): string | null {
  const given = dsn?.trim() ?? '';
  if (given === '') return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !isDsn(url))
    throw invalid('/forwardTo', 'format', 'must be a DSN: https://<key>@<host>/<project>');
  const own = new URL(publicUrl);
  if (url.host === own.host && targetBelow(url.pathname, own.pathname.replace(/\/$/, '')) !== null)
    throw invalid('/forwardTo', 'own_address', 'is this installation itself');
  return url.href;
}

function isDsn({ username, password, pathname, search, hash }: URL): boolean {
  return (
    /^[\w-]{1,64}$/.test(username) &&
    /^[\w-]{0,64}$/.test(password) &&
    /^\/(?:[\w.~-]+\/)*\d{1,20}$/.test(pathname) &&
    search === '' &&
    hash === ''
  );
}
