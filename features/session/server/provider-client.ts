import type { KeyObject } from 'node:crypto';
import type * as OpenIdClient from 'openid-client';
import {
  clientAuthWays,
  createClientAuthentication,
  errorsFromBodies,
  showCredentials,
  withDecryptedTokens,
  type ClientAuthSetting,
  type ClientAuthWay,
} from './client-authentication.ts';
import { clockTolerance, type Claims } from './provider-tokens.ts';
import { clientStandingOf } from './sign-in-refusal.ts';

/** A provider that Portico is a client of, and how it is reached. */
export type ProviderConnection = {
  clientId: string;
  clientSecret(): Promise<string>;
  /** Portico's key, for `private_key_jwt` and for tokens that are encrypted to it; null: there is none. */
  clientKey: KeyObject | null;
  /** How Portico authenticates; `auto`: as the provider declares and accepts. */
  clientAuth: ClientAuthSetting;
  /** Whether sign-ins are pushed to the provider first (RFC 9126); they always are where it requires that. */
  pushesRequests: boolean;
  /**
   * The provider's metadata; asked each time, so that a cache behind it can renew it. Throws SignInRefusal.
   */
  metadata(): Promise<OpenIdClient.ServerMetadata>;
  /** Checks that the provider answers, or has answered in the last seconds. Throws SignInRefusal. */
  expectAnswer(): Promise<void>;
  /**
   * Whether the ID token is sent through the browser when a person signs out at the provider (`id_token_hint`).
   */
  hintsAtSignOut: boolean;
  /** Used in place of the network; called with https addresses alone. */
  fetch: OpenIdClient.CustomFetch;
  /** How long an answer may take. */
  timeoutMs: number;
  /** The `person.issuer` of people who sign in here. */
  issuerKey: string;
  scope: string;
  /** Whether the userinfo endpoint has to be asked in addition to these claims of an ID token. */
  wantsUserInfo(claims: Claims): 'no' | 'if-it-answers' | 'yes';
};

/** openid-client, set up for a provider as it is now. */
export type ReadyClient = {
  client: typeof OpenIdClient;
  metadata: OpenIdClient.ServerMetadata;
  /** For requests without the client secret. */
  configuration: OpenIdClient.Configuration;
  /**
   * Sends the parameters of a sign-in to the provider (RFC 9126); answers the `request_uri` that stands for them. Null: they
   * go through the browser.
   */
  push: ((parameters: Record<string, string>) => Promise<string>) | null;
  /** Calls an endpoint that authenticates the client; throws the provider's answer as openid-client does. */
  withSecret<T>(ask: (configuration: OpenIdClient.Configuration) => Promise<T>): Promise<T>;
};

/**
 * Answers openid-client, set up again when the provider's metadata have changed. Throws SignInRefusal.
 *
 * @param onFound the way to show the client secret that the provider accepts, after it refused another one
 */
export function createProviderClient(
  connection: ProviderConnection,
  onFound: (way: ClientAuthWay) => void,
): () => Promise<ReadyClient> {
  const { clientId } = connection;
  const authentication = createClientAuthentication(clientStandingOf, onFound);
  let ready: ReadyClient | null = null;

  return async () => {
    const metadata = await connection.metadata();
    if (ready?.metadata === metadata) return ready;
    // Imported at the first sign-in, so that an idle server does not load it.
    const [client, clientSecret] = await Promise.all([import('openid-client'), connection.clientSecret()]);
    const { clientKey } = connection;
    const credentials = { clientId, clientSecret, clientKey };
    const configurationOf = (way: ClientAuthWay): OpenIdClient.Configuration => {
      // openid-client waits for the promise, which its types leave out.
      const authenticate = (
        _server: object,
        _client: object,
        body: URLSearchParams,
        headers: Headers,
      ): unknown => showCredentials(way, credentials, metadata, body, headers);
      const configuration = new client.Configuration(
        metadata,
        clientId,
        { [client.clockTolerance]: clockTolerance },
        authenticate,
      );
      configuration.timeout = connection.timeoutMs / 1000;
      configuration[client.customFetch] = errorsFromBodies(withDecryptedTokens(connection.fetch, clientKey));
      return configuration;
    };
    const ways = clientAuthWays(connection.clientAuth, metadata, credentials);
    async function pushIn(
      endpoint: string,
      way: ClientAuthWay,
      parameters: Record<string, string>,
    ): Promise<string> {
      const [body, headers] = [new URLSearchParams(parameters), new Headers({ accept: 'application/json' })];
      headers.set('content-type', 'application/x-www-form-urlencoded');
      await showCredentials(way, credentials, metadata, body, headers);
      const answer = await connection.fetch(endpoint, {
        method: 'POST',
        headers: Object.fromEntries(headers),
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(connection.timeoutMs),
      });
      const fields = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
      const { request_uri: uri, error, error_description } = fields ?? {};
      if (answer.status === 201 && typeof uri === 'string') return uri;
      const failure = new Error('The provider did not take the pushed request.');
      throw Object.assign(failure, { error, error_description, status: answer.status });
    }
    const endpoint = metadata.pushed_authorization_request_endpoint;
    const pushes = connection.pushesRequests || metadata.require_pushed_authorization_requests === true;
    ready = {
      client,
      push:
        !pushes || endpoint === undefined
          ? null
          : (parameters) => authentication.run(ways, (way) => pushIn(endpoint, way, parameters)),
      metadata,
      configuration: configurationOf('basic'),
      withSecret: (ask) => authentication.run(ways, (way) => ask(configurationOf(way))),
    };
    return ready;
  };
}
