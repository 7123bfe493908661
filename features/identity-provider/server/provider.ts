import { returnToParameter } from '#features/session/contract/session.ts';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createHash } from 'node:crypto';
import type { Core } from '#server/core.ts';
import type { Database } from '#server/platform/database/database.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import {
  signerAt,
  signingKeys,
  type KeyRotation,
  type SigningKey,
} from '#server/platform/keys/signing-key.ts';
import { isStorageFailure } from '#server/platform/database/storage-failure.ts';
import type { Accounts } from './accounts.ts';
import { createOidcAdapter } from './oidc-record.store.ts';

/** The embedded provider's one client is Portico itself. */
export const embeddedClientId = 'portico';

/** Where the provider's endpoints are, below PUBLIC_URL. */
export const providerPaths = {
  mount: '/idp',
  authorization: '/auth',
  token: '/token',
  jwks: '/jwks',
  endSession: '/session/end',
} as const;

/** How long a sign-in page may stay open before it has to be requested again, seconds. */
export const interactionSeconds = 3600;
/**
 * The provider remembers a sign-in only until Portico has its ID token: from then on Portico's own session
 * counts, and when that ends the next sign-in needs a password.
 */
const providerSessionSeconds = 60;

export type ProviderOptions = Pick<Core, 'database' | 'clock' | 'logger'> & {
  publicUrl: string;
  basePath: string;
  accounts: Accounts;
  /** Distinguishes the cookies of installations on one host, since cookies ignore ports. */
  cookieSuffix: string;
  callbackUrl: string;
  /**
   * Where a sign-in that cannot go on leads; `state` is that of the authorisation request, where it is known.
   */
  startOver(state: string | null): string;
  /** Whether this `Cookie` header comes from the browser that has begun the sign-in of this `state`. */
  hasBegun(cookieHeader: string | undefined, state: unknown): boolean;
};

/**
 * The rotation of the keys. At sign-out Portico shows the ID token that the session began with, so a key is
 * stored as long as a session lasts.
 */
export function providerKeyRotation(sessionMaxMs: number): KeyRotation {
  return { purpose: keyPurpose, leadMs: 10 * 60_000, keepMs: sessionMaxMs + 86_400_000 };
}

/** The keys for the provider, beginning with the one that signs, and when another key starts to sign. */
export async function providerKeys(
  database: Database,
  now: number,
): Promise<{ keys: SigningKey[]; until: number }> {
  const stored = await signingKeys(database, keyPurpose);
  const signer = signerAt(stored, now);
  const coming = stored.map(({ signsFrom }) => signsFrom).filter((signsFrom) => signsFrom > now);
  return { keys: [signer, ...stored.filter((key) => key !== signer)], until: Math.min(...coming) };
}

const keyPurpose = 'identity-provider';

/** The client secret of Portico at its own provider. */
export function embeddedClientSecret(database: Database): Promise<string> {
  return installationSecret(database, 'identity-provider.client-secret');
}

/**
 * Makes the embedded provider (SES-3). Its library is imported here, not at the top: an idle server does not load
 * it until the first sign-in.
 */
export async function createProvider(
  options: ProviderOptions,
  keys: readonly SigningKey[],
): Promise<Provider> {
  const { database, logger, publicUrl, basePath, accounts } = options;
  const mount = `${basePath}${providerPaths.mount}`;
  const [{ Provider: EmbeddedProvider }, cookieKey, clientSecret] = await Promise.all([
    import('oidc-provider'),
    installationSecret(database, 'identity-provider.cookies'),
    embeddedClientSecret(database),
  ]);
  const cookie = (name: string): string => `portico_idp_${name}_${options.cookieSuffix}`;

  const provider = new EmbeddedProvider(`${publicUrl}${providerPaths.mount}`, {
    adapter: createOidcAdapter(database, options.clock),
    clients: [
      {
        client_id: embeddedClientId,
        client_secret: clientSecret,
        redirect_uris: [options.callbackUrl],
        post_logout_redirect_uris: [publicUrl],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: keys.map(({ kid, jwk }) => ({ ...jwk, kid, alg: 'ES256', use: 'sig' })) },
    async findAccount(_context, id) {
      const account = await accounts.byId(database.read, id);
      if (account === null) return undefined;
      // Portico knows everything else itself; the ID token goes through the browser when a person signs out
      // (SES-7).
      return { accountId: id, claims: () => ({ sub: id }) };
    },
    claims: { openid: ['sub'] },
    scopes: ['openid'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    cookies: {
      keys: [cookieKey],
      names: { session: cookie('session'), interaction: cookie('interaction'), resume: cookie('resume') },
      long: { httpOnly: true, sameSite: 'lax', path: mount, signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: providerPaths.authorization,
      token: providerPaths.token,
      jwks: providerPaths.jwks,
      end_session: providerPaths.endSession,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => signOutPage(context, form, publicUrl),
      },
    },
    extraParams: [returnToParameter],
    interactions: {
      url: (_context, { uid, params }) => {
        const back = params[returnToParameter];
        // For the page's links that start the sign-in again. The address is checked where the sign-in begins.
        const query = typeof back === 'string' ? `?${returnToParameter}=${encodeURIComponent(back)}` : '';
        return `${mount}/sign-in/${uid}${query}`;
      },
    },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: providerSessionSeconds,
      IdToken: 300,
      Interaction: interactionSeconds,
      Session: providerSessionSeconds,
    },
    loadExistingGrant: grantWhatIsAsked,
    renderError(context, _out, error) {
      if (isStorageFailure(error)) return;
      const { state } = context.query;
      logger.warn({ err: error }, 'a sign-in at the embedded provider could not go on');
      context.redirect(options.startOver(typeof state === 'string' ? state : null));
    },
  });
  // `providerRoutes` sets the host and scheme that the provider sees, from PUBLIC_URL.
  provider.proxy = true;
  provider.on('server_error', (context, error) => {
    if (isStorageFailure(error)) storageFailures.set(context.req, error);
    else logger.error({ err: error }, 'the embedded provider failed');
  });
  provider.use(leaveStorageFailures);
  provider.use(async (context, proceed: () => Promise<void>) => {
    if (context.path === providerPaths.authorization) delete context.req.headers.cookie;
    const uid = resumed.exec(context.path)?.[1];
    const interaction = uid === undefined ? undefined : await provider.Interaction.find(uid);
    if (interaction === undefined || options.hasBegun(context.get('cookie'), interaction.params['state']))
      return proceed();
    return context.redirect(options.startOver(null));
  });
  const emitter: EventEmitter = provider;
  emitter.on('error', (error) => logger.error({ err: error }, 'the embedded provider failed'));
  return provider;
}

/**
 * The address at which a sign-in continues after the password. The library's cookies have paths, so their
 * names cannot begin with `__Host-`, and an application at a subdomain can set them. With the cookies of its own
 * sign-in, it could make the visitor use the attacker's account. Therefore a sign-in ignores these cookies at its
 * start, and continues only in the browser that holds Portico's cookie of this sign-in.
 */
const resumed = new RegExp(`^${providerPaths.authorization}/([^/]+)$`);

/** Errors of the storage by the request that they failed: the server answers and logs them, as everywhere. */
const storageFailures = new WeakMap<IncomingMessage, Error>();

/** The storage's error in a request to the provider, whose answer is then still to be sent. */
export function storageFailureOf(request: IncomingMessage): Error | undefined {
  return storageFailures.get(request);
}

function leaveStorageFailures(context: KoaContextWithOIDC, proceed: () => Promise<void>): Promise<void> {
  return proceed()
    .catch((error: unknown) => {
      if (!isStorageFailure(error)) throw error;
      storageFailures.set(context.req, error as Error);
    })
    .then(() => {
      if (storageFailures.has(context.req)) context.respond = false;
    });
}

/** Portico's own client needs no consent. */
async function grantWhatIsAsked(
  context: KoaContextWithOIDC,
): Promise<InstanceType<Provider['Grant']> | undefined> {
  const { client, session, provider, params } = context.oidc;
  const accountId = session?.accountId;
  if (client === undefined || accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId });
  const scope = params?.['scope'];
  grant.addOIDCScope(typeof scope === 'string' ? scope : 'openid');
  await grant.save();
  return grant;
}

const submitScript = "document.getElementById('op.logoutForm').submit()";

/**
 * Ends the provider's session without a question where the ID token proves that this person's own sign-out
 * led here. Without one nothing ends, since any page could link here.
 */
function signOutPage(context: KoaContextWithOIDC, form: string, publicUrl: string): void {
  const { IdTokenHint: hint } = context.oidc.entities;
  if (hint?.payload['sub'] !== context.oidc.session?.accountId) {
    context.redirect(publicUrl);
    return;
  }
  const script = createHash('sha256').update(submitScript).digest('base64');
  context.set('content-security-policy', providerPolicy(`'sha256-${script}'`));
  context.type = 'html';
  context.body = `<!doctype html><meta charset="utf-8"><title>Portico</title>${form}<input type="hidden" name="logout" value="yes" form="op.logoutForm"><script>${submitScript}</script>`;
}

/** The content security policy of the provider's few own pages, which only lead the browser on. */
export function providerPolicy(script = "'self'"): string {
  return `default-src 'none'; script-src ${script}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}
