import type { CustomFetch, ServerMetadata } from 'openid-client';

/** How the client secret is shown, in the words of `OIDC_CLIENT_AUTH`. */
export type ClientAuthSetting = 'auto' | 'basic' | 'post';

/** One way to show it; `basic-verbatim` is the header without any encoding. */
export type ClientAuthWay = 'basic' | 'basic-verbatim' | 'post';

export type ClientCredentials = { clientId: string; clientSecret: string };

/**
 * The ways to try, one after the other: another one only where the one before was refused. A provider prefers
 * what it lists first; by header is the default (OpenID Connect Discovery 1.0, 3).
 */
export function clientAuthWays(
  wanted: ClientAuthSetting,
  { token_endpoint_auth_methods_supported: listed = ['client_secret_basic'] }: Partial<ServerMetadata>,
  { clientId, clientSecret }: ClientCredentials,
): ClientAuthWay[] {
  const differ = encodeId(clientId) !== clientId || encode(clientSecret) !== clientSecret;
  const verbatim: ClientAuthWay[] = differ ? ['basic-verbatim'] : [];
  if (wanted !== 'auto') return wanted === 'post' ? ['post'] : ['basic', ...verbatim];
  const place = (method: string): number =>
    listed.includes(method) ? listed.indexOf(method) : listed.length;
  const preferred = place('client_secret_post') < place('client_secret_basic');
  return [...(preferred ? (['post', 'basic'] as const) : (['basic', 'post'] as const)), ...verbatim];
}

/** Puts the credentials into a request of the token or revocation endpoint (RFC 6749 2.3.1). */
export function showCredentials(
  way: ClientAuthWay,
  { clientId, clientSecret }: ClientCredentials,
  body: URLSearchParams,
  headers: Headers,
): void {
  if (way === 'post') {
    body.set('client_id', clientId);
    body.set('client_secret', clientSecret);
    return;
  }
  const pair =
    way === 'basic' ? `${encodeId(clientId)}:${encode(clientSecret)}` : `${clientId}:${clientSecret}`;
  headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
}

/*
 * RFC 6749 2.3.1 has both form-encoded, and many providers do not decode them. So only characters that a
 * decoder would change are encoded; all others read the same with and without decoding.
 */
function encode(text: string): string {
  return text.replaceAll(/[%+]|[^ -~]+/g, encodeURIComponent);
}

function encodeId(clientId: string): string {
  return encode(clientId).replaceAll(':', '%3A');
}

/** Errors of an answer that mean the client, not what it asked for (RFC 6749 5.2). */
const refusals = new Set(['invalid_client', 'unauthorized_client']);

/**
 * Whether an answer refuses the client itself. An unencoded secret may also be a bad request to a provider
 * that decodes.
 */
export function refusesClient(
  { status, error }: { status?: number | undefined; error?: string | undefined },
  way: ClientAuthWay,
): boolean {
  if (error === undefined) return status === 401;
  return refusals.has(error) || (way === 'basic-verbatim' && error === 'invalid_request');
}

/** Finds the way that a provider accepts, and remembers it while the process runs. */
export type ClientAuthentication = {
  /**
   * Asks once for each way until one is not refused. A refused client leaves codes and tokens unused (RFC
   * 6749 5.2); where a provider has used a code up all the same, the next sign-in begins with the way that
   * was accepted.
   *
   * @throws what `ask` throws; the refusal of the first way where all were refused
   */
  run<T>(ways: readonly ClientAuthWay[], ask: (way: ClientAuthWay) => Promise<T>): Promise<T>;
};

/** @param judge whether an error refuses or accepts the client */
export function createClientAuthentication(
  judge: (error: unknown, way: ClientAuthWay) => 'refused' | 'accepted' | 'unknown',
  onFound: (way: ClientAuthWay) => void,
): ClientAuthentication {
  let accepted: ClientAuthWay | null = null;

  function accept(way: ClientAuthWay, isFirst: boolean): void {
    if (accepted !== way && !isFirst) onFound(way);
    accepted = way;
  }

  return {
    async run(ways, ask) {
      const ordered = ways.toSorted((one, other) => Number(other === accepted) - Number(one === accepted));
      const refused: unknown[] = [];
      for (const way of ordered) {
        try {
          const answer = await ask(way);
          accept(way, way === ways[0]);
          return answer;
        } catch (error) {
          const standing = judge(error, way);
          if (standing === 'accepted') accept(way, way === ways[0]);
          if (standing !== 'refused') throw error;
          refused.push(error);
        }
      }
      throw refused[0];
    },
  };
}

/**
 * `fetch` for openid-client, which reads no body where a challenge stands in the header; the body holds more:
 * a provider that refuses a client has to send both (RFC 6749 5.2).
 */
export function errorsFromBodies(fetch: CustomFetch): CustomFetch {
  return async (address, options) => {
    const answer = await fetch(address, options);
    if (!answer.headers.has('www-authenticate')) return answer;
    const body = (await answer
      .clone()
      .json()
      .catch(() => null)) as { error?: unknown } | null;
    if (typeof body?.error === 'string') answer.headers.delete('www-authenticate');
    return answer;
  };
}
