import {
  createPrivateKey,
  createSecretKey,
  generateKeyPairSync,
  randomUUID,
  type JsonWebKey,
} from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';
import { SignJWT } from 'jose';
import type { ForgedToken, OutsideAccount, ProviderState } from './outside-provider.ts';

/*
 * A company's own OpenID Connect provider, for tests: `oidc-provider` in a process of its own, with switches.
 * It prints the issuer and the address of the switches, each on a line.
 */

const initially: ProviderState = {
  client: null,
  accounts: {},
  claimsIn: 'id_token',
  refreshTokens: true,
  revocation: true,
  loseTokenAnswer: false,
  silent: false,
  skewMs: 0,
  forge: null,
  userInfo: 'json',
  clientKey: null,
  authorizationError: null,
};
let state = initially;
type Key = JsonWebKey & { kid: string; alg: 'RS256'; use: 'sig' };
let keys: Key[] = [newKey()];

const realNow = Date.now.bind(Date);
Object.defineProperty(Date, 'now', { value: () => realNow() + state.skewMs });

function newKey(): Key {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

/** Settled at the next switch. */
let { promise: switched, resolve: publishSwitched } = Promise.withResolvers<void>();

let issuer = '';
let provider: Provider | null = null;

/** What the provider stores; it outlives a change of its switches. */
const records = new Map<string, AdapterPayload>();

function recordsOf(model: string): Adapter {
  const key = (id: string): string => `${model} ${id}`;
  const first = (fits: (record: AdapterPayload) => boolean): AdapterPayload | undefined =>
    [...records].find(([name, record]) => name.startsWith(`${model} `) && fits(record))?.[1];
  return {
    upsert: async (id, payload) => void records.set(key(id), payload),
    find: async (id) => records.get(key(id)),
    findByUid: async (uid) => first((record) => record.uid === uid),
    findByUserCode: async (userCode) => first((record) => record.userCode === userCode),
    consume: async (id) => void Object.assign(records.get(key(id)) ?? {}, { consumed: 1 }),
    destroy: async (id) => void records.delete(key(id)),
    async revokeByGrantId(grantId) {
      for (const [name, record] of records) if (record.grantId === grantId) records.delete(name);
    },
  };
}

function build(): Provider {
  const names = new Set(Object.values(state.accounts).flatMap(({ claims }) => Object.keys(claims)));
  const configuration: Configuration = {
    adapter: recordsOf,
    // The provider's own `fetch` calls no address of this machine.
    fetch: (address, options) => {
      const init: RequestInit & { dispatcher?: unknown } = { ...options };
      delete init.dispatcher;
      return fetch(address, init);
    },
    clients:
      state.client === null
        ? []
        : [
            {
              client_id: state.client.id,
              client_secret: state.client.secret,
              redirect_uris: [`${state.client.url}/auth/callback`],
              post_logout_redirect_uris: [state.client.url],
              backchannel_logout_uri: `${state.client.url}/auth/backchannel-logout`,
              backchannel_logout_session_required: true,
              grant_types: ['authorization_code', 'refresh_token'],
              response_types: ['code'],
              // As Keycloak and LemonLDAP::NG: auth_time stands in every ID token.
              require_auth_time: true,
              ...(state.clientKey === null
                ? {}
                : {
                    token_endpoint_auth_method: 'private_key_jwt' as const,
                    jwks: { keys: [state.clientKey] },
                    id_token_encrypted_response_alg: 'RSA-OAEP-256' as const,
                    userinfo_encrypted_response_alg: 'RSA-OAEP-256' as const,
                  }),
              ...(state.userInfo === 'json' ? {} : { userinfo_signed_response_alg: 'RS256' }),
            },
          ],
    jwks: { keys },
    findAccount: (_context, id) => {
      const account: OutsideAccount | undefined = state.accounts[id];
      if (account === undefined || account.disabled === true) return undefined;
      return { accountId: id, claims: () => ({ sub: id, ...account.claims }) };
    },
    // What belongs to the scope openid would stand in every ID token.
    claims: { openid: ['sub', 'sid'], profile: [...names] },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    conformIdTokenClaims: state.claimsIn === 'userinfo',
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      jwtUserinfo: { enabled: true },
      encryption: { enabled: true },
      pushedAuthorizationRequests: {
        enabled: true,
        requirePushedAuthorizationRequests: state.clientKey !== null,
      },
      rpInitiatedLogout: { enabled: true },
      revocation: { enabled: state.revocation },
    },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    issueRefreshToken: () => Promise.resolve(state.refreshTokens),
    rotateRefreshToken: true,
    async loadExistingGrant(context) {
      const { client, session, provider: own, params } = context.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(String(params?.['scope']));
      await grant.save();
      return grant;
    },
    ttl: {
      Session: 3_600,
      Grant: 86_400,
      AccessToken: 300,
      IdToken: 3_600,
      Interaction: 3_600,
      RefreshToken: 86_400,
    },
  };
  const made = new Provider(issuer, configuration);
  made.on('backchannel.error', (_context, error) =>
    process.stderr.write(`${String(error)} ${String(error.cause)}\n`),
  );
  made.use(async (context, next) => {
    await next();
    const body: unknown = context.body;
    if (context.path === '/me' && typeof state.userInfo === 'object') {
      if ('status' in state.userInfo)
        Object.assign(context, {
          status: state.userInfo.status,
          type: state.userInfo.type,
          body: state.userInfo.body,
        });
      else context.body = await forged(String(body), state.userInfo);
      return;
    }
    if (context.path !== '/token' || typeof body !== 'object' || body === null) return;
    const answer = body as Record<string, unknown>;
    if (state.loseTokenAnswer && typeof answer['refresh_token'] === 'string') {
      context.req.socket.destroy();
      return;
    }
    if (state.forge !== null && typeof answer['id_token'] === 'string')
      context.body = { ...answer, id_token: await forged(answer['id_token'], state.forge) };
  });
  return made;
}

function decoded(part: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;
}

async function forged(token: string, { claims, header, signedWith }: ForgedToken): Promise<string> {
  const [head, body] = token.split('.');
  return sign({ ...decoded(body), ...claims }, { ...decoded(head), ...header }, signedWith ?? 'own key');
}

async function sign(
  claims: Record<string, unknown>,
  header: Record<string, unknown>,
  signedWith: NonNullable<ForgedToken['signedWith']>,
): Promise<string> {
  const present = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  if (signedWith === 'nothing') return `${part({ ...header, alg: 'none' })}.${part(present)}.`;
  const [own] = keys;
  if (own === undefined) throw new Error('There is no key.');
  if (signedWith === 'the client secret')
    return new SignJWT(present)
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(createSecretKey(Buffer.from(state.client?.secret ?? '')));
  const key = signedWith === 'another key' ? newKey() : own;
  return new SignJWT(present)
    .setProtectedHeader({ kid: own.kid, ...header, alg: 'RS256' })
    .sign(createPrivateKey({ key, format: 'jwk' }));
}

const page = (title: string, form: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${form}`;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  while (state.silent) await switched;
  provider ??= build();
  const asked = new URL(request.url ?? '', issuer);
  if (asked.pathname === '/auth' && state.authorizationError !== null) {
    const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
    for (const [name, value] of Object.entries({
      error: state.authorizationError,
      error_description: 'claims is not supported',
      state: asked.searchParams.get('state') ?? '',
      iss: issuer,
    }))
      back.searchParams.set(name, value);
    response.writeHead(303, { location: back.href }).end();
    return;
  }
  const [, uid] = /^\/login\/([\w-]+)$/.exec(request.url ?? '') ?? [];
  if (uid === undefined) {
    await provider.callback()(request, response);
    return;
  }
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      page(
        'Company sign-in',
        `<form method="post"><label>Account <input name="account"></label> <button>Continue</button></form>`,
      ),
    );
    return;
  }
  const accountId = new URLSearchParams(await textOf(request)).get('account') ?? '';
  const known = state.accounts[accountId];
  const result =
    known === undefined || known.disabled === true
      ? { error: 'access_denied', error_description: 'The account is disabled.' }
      : { login: { accountId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Idle connections stay open: a busy machine may use one in the moment in which it would be closed. */
const keepAliveTimeout = 0;
let server: Server | null = null;
let port = 0;

async function open(): Promise<void> {
  const opening = createServer({ keepAliveTimeout }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.statusCode = 500;
      response.end();
    });
  });
  await new Promise<void>((done) => opening.listen(port, '127.0.0.1', done));
  port = (opening.address() as AddressInfo).port;
  server = opening;
}

async function close(): Promise<void> {
  const closing = server;
  server = null;
  if (closing === null) return;
  closing.closeAllConnections();
  await new Promise((done) => closing.close(done));
}

function turn(to: ProviderState): void {
  state = to;
  provider = null;
  publishSwitched();
  ({ promise: switched, resolve: publishSwitched } = Promise.withResolvers<void>());
}

const switches: Record<string, (body: Record<string, unknown>) => Promise<unknown>> = {
  set: (body) => {
    turn({ ...state, ...(body as Partial<ProviderState>) });
    return Promise.resolve({});
  },
  reset: async () => {
    records.clear();
    turn(initially);
    if (server === null) await open();
    else server.closeAllConnections();
    return {};
  },
  rotate: () => {
    keys = [newKey()];
    provider = null;
    return Promise.resolve({});
  },
  down: async () => {
    await close();
    return {};
  },
  up: async () => {
    await open();
    return {};
  },
  'refresh-tokens': () =>
    Promise.resolve({
      left: [...records].filter(
        ([name, { consumed }]) => name.startsWith('RefreshToken ') && consumed === undefined,
      ).length,
    }),
  sign: async ({ claims, header, signedWith }) => ({
    token: await sign(
      claims as Record<string, unknown>,
      (header ?? {}) as Record<string, unknown>,
      (signedWith ?? 'own key') as 'own key',
    ),
  }),
};

await open();
issuer = `http://localhost:${port}`;
const control = createServer({ keepAliveTimeout }, (request, response) => {
  void (async () => {
    const run = switches[(request.url ?? '').slice(1)];
    const text = await textOf(request);
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await run?.(body)));
  })();
});
await new Promise<void>((done) => control.listen(0, '127.0.0.1', done));
process.stdout.write(
  `issuer ${issuer}\ncontrol http://127.0.0.1:${(control.address() as AddressInfo).port}\n`,
);
// The parent may have ended without stopping it.
process.stdin.on('end', () => process.exit(0)).resume();
