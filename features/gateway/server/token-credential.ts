import type { IncomingHttpHeaders } from 'node:http';
import { decodeJwt } from 'jose';
import type { PathGuard } from '#server/platform/http/paths.ts';
import { apiTokenPrefix } from '#features/api-tokens/server/api-tokens.store.ts';
import { accessTokenAudience } from '#features/session/server/access-token.ts';

/** A token as a client sends it. */
export type TokenCredential = {
  token: string;
  /** Whether a browser may have sent it by itself, as it does with a password that it knows for this site. */
  ambient: boolean;
};

type TokenHeader = Pick<PathGuard, 'tokenHeader'>;

/**
 * The token of a request (GATE-10): in `Authorization` as Bearer, or as the password of Basic with any user name;
 * else in the header that the rule names. Null without one.
 */
export function credentialOf(
  headers: IncomingHttpHeaders,
  { tokenHeader }: TokenHeader,
): TokenCredential | null {
  const sent = [fromAuthorization(headers.authorization), fromHeader(headers[tokenHeader.toLowerCase()])];
  // The other header may hold a token of the application.
  return sent.find(isOwnToken) ?? sent[0] ?? sent[1] ?? null;
}

/**
 * The names of the headers that an application does not receive, since their token is for Portico: on a path for
 * tokens both headers; on a path for a session or a token the headers that hold a token of Portico's.
 */
export function withheldHeaders(
  headers: IncomingHttpHeaders,
  { access, tokenHeader }: Pick<PathGuard, 'access' | 'tokenHeader'>,
): readonly string[] {
  if (access !== 'token' && access !== 'session-or-token') return [];
  const names = ['authorization', tokenHeader.toLowerCase()];
  if (access === 'token') return names;
  const [authorization, other] = [
    fromAuthorization(headers.authorization),
    fromHeader(headers[names[1] ?? '']),
  ];
  return names.filter((_name, at) => isOwnToken(at === 0 ? authorization : other));
}

/** Whether a token is one of Portico's, by its form: an application may have tokens of its own. */
export function isOwnToken(credential: TokenCredential | null): boolean {
  if (credential === null) return false;
  const { token } = credential;
  if (token.startsWith(apiTokenPrefix)) return true;
  try {
    return decodeJwt(token).aud === accessTokenAudience;
  } catch {
    return false;
  }
}

function fromAuthorization(authorization = ''): TokenCredential | null {
  const [, scheme = '', value = ''] = /^(Bearer|Token|Basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (value === '') return null;
  if (scheme.toLowerCase() !== 'basic') return { token: value, ambient: false };
  const pair = Buffer.from(value, 'base64').toString();
  const colon = pair.indexOf(':');
  // Some clients send the token as the user name, with no password.
  const token = pair.slice(colon + 1) || pair.slice(0, Math.max(0, colon));
  return token === '' ? null : { token, ambient: true };
}

function fromHeader(value: string | string[] | undefined): TokenCredential | null {
  return typeof value === 'string' && value !== '' ? { token: value.trim(), ambient: false } : null;
}
