import type * as OpenIdClient from 'openid-client';
import {
  clientAuthWays,
  createClientAuthentication,
  errorsFromBodies,
  showCredentials,
  type ClientAuthSetting,
  type ClientAuthWay,
} from './client-authentication.ts';
import { clockTolerance, type Claims } from './provider-tokens.ts';
import { clientStandingOf } from './sign-in-refusal.ts';

/** A provider that Portico is a client of, and how it is reached. */
export type ProviderConnection = {
  clientId: string;
  clientSecret(): Promise<string>;
  /** How the secret is shown; `auto` as the provider declares and accepts. */
  clientAuth: ClientAuthSetting;
  /**
   * The provider's metadata; asked each time, so that a cache behind it can renew it. Throws SignInRefusal.
   */
  metadata(): Promise<OpenIdClient.ServerMetadata>;
  /**
   * Checks, at most some seconds ago, that the provider answers a browser that is sent there. Throws
   * SignInRefusal.
   */
  expectAnswer(): Promise<void>;
  /**
   * Whether the ID token goes along, through the browser, when a person signs out there (`id_token_hint`).
   */
  hintsAtSignOut: boolean;
  /** In place of the network; asked for https alone. */
  fetch: OpenIdClient.CustomFetch;
  /** How long an answer may take. */
  timeoutMs: number;
  /** The `person.issuer` of people who sign in here. */
  issuerKey: string;
  scope: string;
  /** Whether the userinfo endpoint has to be asked beside these claims of an ID token. */
  wantsUserInfo(claims: Claims): 'no' | 'if-it-answers' | 'yes';
};

/** openid-client, set up for a provider as it is now. */
export type ReadyClient = {
  client: typeof OpenIdClient;
  metadata: OpenIdClient.ServerMetadata;
  /** For what is asked without the client secret. */
  configuration: OpenIdClient.Configuration;
  /** Asks an endpoint that wants to know the client; throws the provider's answer as openid-client does. */
  withSecret<T>(ask: (configuration: OpenIdClient.Configuration) => Promise<T>): Promise<T>;
};

/**
 * Answers openid-client, set up anew when the provider's metadata have changed. Throws SignInRefusal.
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
    const credentials = { clientId, clientSecret };
    const configurationOf = (way: ClientAuthWay): OpenIdClient.Configuration => {
      const configuration = new client.Configuration(
        metadata,
        clientId,
        { [client.clockTolerance]: clockTolerance },
        (_server, _client, body, headers) => showCredentials(way, credentials, body, headers),
      );
      configuration.timeout = connection.timeoutMs / 1000;
      configuration[client.customFetch] = errorsFromBodies(connection.fetch);
      return configuration;
    };
    const ways = clientAuthWays(connection.clientAuth, metadata, credentials);
    ready = {
      client,
      metadata,
      configuration: configurationOf('basic'),
      withSecret: (ask) => authentication.run(ways, (way) => ask(configurationOf(way))),
    };
    return ready;
  };
}
