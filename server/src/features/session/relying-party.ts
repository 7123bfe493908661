import type * as OpenIdClient from 'openid-client';

/** A provider that Portico is a client of, and how it is reached. */
export type ProviderConnection = {
  clientId: string;
  clientSecret(): Promise<string>;
  /** The endpoints, read once, at the first sign-in. */
  metadata(): Promise<OpenIdClient.ServerMetadata>;
  /** In place of the network, for the embedded provider. */
  fetch?: OpenIdClient.CustomFetch;
  /** The `person.issuer` of people who sign in here. */
  issuerKey: string;
  scope: string;
};

/** One authorisation request: authorisation code with PKCE, state and nonce (RFC 9700 2.1). */
export type AuthorizationRequest = { state: string; nonce: string; codeVerifier: string };

export type VerifiedSignIn = { idToken: string; claims: { sub: string; [claim: string]: unknown } };

/** Portico as a confidential OpenID Connect client. */
export type RelyingParty = {
  readonly issuerKey: string;
  authorizationUrl(
    request: Pick<AuthorizationRequest, 'state' | 'nonce'>,
  ): Promise<{ url: string; codeVerifier: string }>;
  /** Exchanges the code and verifies the ID token. Throws openid-client's errors. */
  finish(callback: URL, request: AuthorizationRequest): Promise<VerifiedSignIn>;
  /** Where the browser goes to end the provider's own session (SES-7). */
  endSessionUrl(idToken: string): Promise<string>;
};

export function createRelyingParty(
  connection: ProviderConnection,
  { callbackUrl, publicUrl }: { callbackUrl: string; publicUrl: string },
): RelyingParty {
  type Loaded = {
    client: typeof OpenIdClient;
    configuration: OpenIdClient.Configuration;
    metadata: OpenIdClient.ServerMetadata;
  };
  let loaded: Promise<Loaded> | null = null;

  async function load(): Promise<Loaded> {
    // Imported when somebody signs in, so that start and rest cost nothing of it.
    const [client, metadata, secret] = await Promise.all([
      import('openid-client'),
      connection.metadata(),
      connection.clientSecret(),
    ]);
    const configuration = new client.Configuration(
      metadata,
      connection.clientId,
      secret,
      client.ClientSecretBasic(secret),
    );
    configuration.timeout = 10;
    if (connection.fetch !== undefined) configuration[client.customFetch] = connection.fetch;
    // The code came through the browser: the ID token's signature is checked although it came directly.
    client.enableNonRepudiationChecks(configuration);
    return { client, configuration, metadata };
  }

  function configured(): Promise<Loaded> {
    if (loaded === null) {
      const loading = load();
      loaded = loading;
      // A provider that is down now may be up at the next sign-in.
      loading.catch(() => (loaded = null));
    }
    return loaded;
  }

  return {
    issuerKey: connection.issuerKey,
    async authorizationUrl({ state, nonce }) {
      const { client, metadata } = await configured();
      const codeVerifier = client.randomPKCECodeVerifier();
      const url = withParameters(metadata.authorization_endpoint, {
        response_type: 'code',
        client_id: connection.clientId,
        redirect_uri: callbackUrl,
        scope: connection.scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, codeVerifier };
    },
    async finish(callback, { state, nonce, codeVerifier }) {
      const { client, configuration } = await configured();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      };
      const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined)
        throw new Error('The provider sent no ID token.');
      return { idToken: tokens.id_token, claims };
    },
    async endSessionUrl(idToken) {
      const { metadata } = await configured();
      if (metadata.end_session_endpoint === undefined) return publicUrl;
      return withParameters(metadata.end_session_endpoint, {
        id_token_hint: idToken,
        client_id: connection.clientId,
        post_logout_redirect_uri: publicUrl,
      });
    },
  };
}

// openid-client's own builders refuse http, which PUBLIC_URL is on localhost.
function withParameters(endpoint: string | undefined, parameters: Record<string, string>): string {
  if (endpoint === undefined) throw new Error('The provider names no authorization endpoint.');
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
