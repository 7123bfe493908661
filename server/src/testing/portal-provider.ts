import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import type { OutsideProviderSettings } from '../config.ts';
import { settingsOf } from './outside-provider.ts';

/*
 * A provider as strict and as loose as portals in use are: LemonLDAP::NG 2.16 reads the Basic header without
 * decoding it, refuses a client by 401 with a challenge, does not rotate its refresh tokens, calls an unknown
 * one a bad request, and answers programs that do not look like a browser by 401.
 */

export type PortalState = {
  client: { id: string; secret: string };
  /** Whether the parts of the Basic header are decoded (RFC 6749 2.3.1). */
  decodes: boolean;
  accepts: ('basic' | 'post')[];
  /** `token_endpoint_auth_methods_supported`; null: not stated. */
  listed: string[] | null;
  /** Whether a code is used up although the client was refused. */
  spendsCodes: boolean;
  /** Whether the body holds the error of a 401 that carries a challenge. */
  namesErrors: boolean;
  claims: Record<string, unknown>;
  /** `id_token_signing_alg_values_supported`. */
  algorithms: string[];
  /** The redirect URI that is registered; null: any. */
  redirectUri: string | null;
  /** A status in place of the authorization endpoint's own answer, or null. */
  authorize: number | null;
  /** What the token endpoint answers to a refresh token; an object replaces its own answer. */
  refresh: 'works' | 'unknown' | { status: number; body: string; headers?: Record<string, string> };
};

export type Portal = {
  state: PortalState;
  /** What the token endpoint was asked, and what it answered, such as `authorization_code basic 401`. */
  asked: string[];
  answer(request: Request): Promise<Response>;
};

export const lemonLdap: Pick<PortalState, 'decodes' | 'accepts' | 'listed' | 'namesErrors'> = {
  decodes: false,
  accepts: ['basic', 'post'],
  listed: ['client_secret_post', 'client_secret_basic'],
  namesErrors: true,
};

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

let keys: ReturnType<typeof generateKeyPair> | undefined;

/** The provider as a function; `issuer` is where its requests are addressed to. */
export async function createPortal(issuer: string, change: Partial<PortalState> = {}): Promise<Portal> {
  const { publicKey, privateKey } = await (keys ??= generateKeyPair('ES256'));
  const key = { ...(await exportJWK(publicKey)), kid: 'portal', use: 'sig', alg: 'ES256' };
  const codes = new Map<string, { nonce: string }>();
  const asked: string[] = [];
  const state: PortalState = {
    client: { id: 'portico', secret: 'secret' },
    ...lemonLdap,
    spendsCodes: false,
    claims: { sub: 'dwho' },
    algorithms: ['ES256'],
    redirectUri: null,
    authorize: null,
    refresh: 'works',
    ...change,
  };

  function authorize(request: Request, query: URLSearchParams): Response {
    if (state.authorize !== null) return new Response('', { status: state.authorize });
    const target = query.get('redirect_uri') ?? '';
    if (!request.headers.get('accept')?.includes('text/html')) return json(401, { error: 'a page' });
    if (state.redirectUri !== null && target !== state.redirectUri)
      return new Response('No.', { status: 400 });
    const back = new URL(target);
    back.searchParams.set('state', query.get('state') ?? '');
    if (query.get('prompt') === 'none') {
      back.searchParams.set('error', 'login_required');
    } else {
      const code = `code-${codes.size + 1}`;
      codes.set(code, { nonce: query.get('nonce') ?? '' });
      back.searchParams.set('code', code);
    }
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  /** The way in which a request shows the right credentials, or null. */
  function wayOf(
    request: Request,
    form: URLSearchParams,
  ): { way: string; accepted: boolean; malformed: boolean } {
    const { id, secret } = state.client;
    const header = request.headers.get('authorization');
    if (header === null) {
      const right = form.get('client_id') === id && form.get('client_secret') === secret;
      return { way: 'post', accepted: right && state.accepts.includes('post'), malformed: false };
    }
    const pair = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
    const at = pair.indexOf(':');
    const decoded = (text: string): string =>
      state.decodes ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
    if (state.decodes && /%(?![0-9A-F]{2})/i.test(pair))
      return { way: 'basic', accepted: false, malformed: true };
    const right = decoded(pair.slice(0, at)) === id && decoded(pair.slice(at + 1)) === secret;
    return { way: 'basic', accepted: right && state.accepts.includes('basic'), malformed: false };
  }

  async function idToken(nonce?: string): Promise<string> {
    const claims = nonce === undefined ? state.claims : { ...state.claims, nonce };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'portal' })
      .setIssuer(issuer)
      .setAudience(state.client.id)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
  }

  async function grant(form: URLSearchParams): Promise<Response> {
    const common = { access_token: 'access', token_type: 'Bearer', expires_in: 300 };
    if (form.get('grant_type') === 'refresh_token') {
      if (state.refresh === 'works') return json(200, { ...common, id_token: await idToken() });
      if (state.refresh === 'unknown') return json(400, { error: 'invalid_request' });
      const { status, body, headers = {} } = state.refresh;
      return new Response(body, { status, headers });
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (code === undefined) return json(400, { error: 'invalid_grant' });
    return json(200, { ...common, id_token: await idToken(code.nonce), refresh_token: 'refresh' });
  }

  /** The token endpoint, and with another `grant` the one that revokes tokens. */
  async function asClient(
    request: Request,
    grant: (form: URLSearchParams) => Promise<Response> | Response,
  ): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const { way, accepted, malformed } = wayOf(request, form);
    if (!accepted && state.spendsCodes) codes.delete(form.get('code') ?? '');
    const challenge = { 'www-authenticate': 'Basic' };
    const answer = accepted
      ? await grant(form)
      : malformed
        ? json(400, { error: 'invalid_request' })
        : state.namesErrors
          ? json(401, { error: 'invalid_client' }, challenge)
          : new Response('', { status: 401, headers: challenge });
    asked.push(`${form.get('grant_type') ?? 'revocation'} ${way} ${answer.status}`);
    return answer;
  }

  return {
    state,
    asked,
    async answer(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === '/authorize') return authorize(request, searchParams);
      if (pathname === '/token') return asClient(request, grant);
      if (pathname === '/revoke') return asClient(request, () => new Response(null, { status: 200 }));
      if (pathname === '/jwks') return json(200, { keys: [key] });
      if (pathname !== '/.well-known/openid-configuration') return new Response('', { status: 404 });
      return json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        revocation_endpoint: `${issuer}/revoke`,
        id_token_signing_alg_values_supported: state.algorithms,
        ...(state.listed === null ? {} : { token_endpoint_auth_methods_supported: state.listed }),
      });
    },
  };
}

/** The provider on a port; it ends with the test. */
export async function startPortal(
  change: Partial<PortalState> = {},
): Promise<Portal & { issuer: string; settings: OutsideProviderSettings }> {
  let portal: Portal | null = null;
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void (async () => {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk as Buffer);
      const method = request.method ?? 'GET';
      const answer = await portal?.answer(
        new Request(new URL(request.url ?? '/', issuer), {
          method,
          headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const),
          ...(method === 'GET' ? {} : { body: Buffer.concat(body) }),
        }),
      );
      response.writeHead(answer?.status ?? 500, Object.fromEntries(answer?.headers ?? []));
      response.end(answer === undefined ? '' : await answer.text());
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => server.close().closeAllConnections());
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  portal = await createPortal(issuer, change);
  return {
    ...portal,
    issuer,
    settings: settingsOf(issuer, portal.state.client),
  };
}
