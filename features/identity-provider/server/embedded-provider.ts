import type { Provider } from 'oidc-provider';
import type { InjectOptions } from 'fastify';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import { StorageFailure } from '#server/platform/database/storage-failure.ts';
import type { ProviderConnection } from '#features/session/server/provider-client.ts';
import { embeddedIssuer } from './accounts.ts';
import {
  createProvider,
  embeddedClientId,
  embeddedClientSecret,
  providerKeys,
  providerPaths,
  type ProviderOptions,
} from './provider.ts';

/** A request to Portico itself that never reaches a network, as Fastify makes it. */
export type Inject = (request: InjectOptions & { url: string }) => Promise<{
  statusCode: number;
  headers: Record<string, number | string | string[] | undefined>;
  rawPayload: Buffer;
}>;

export type EmbeddedProvider = {
  /** Made at its first use. */
  provider(): Promise<Provider>;
  /** How Portico, as its client, reaches the provider. */
  connection: ProviderConnection;
};

/**
 * Portico's calls to its own provider go to this name, which no network knows, and from there to the app
 * itself: they work where the public name cannot be resolved or reached from inside (SES-3).
 */
const inside = 'https://portico.invalid';

export function createEmbeddedProvider(
  options: ProviderOptions & { inject: Inject; feed: ChangeFeed },
): EmbeddedProvider {
  const { publicUrl, database, clock } = options;
  const { mount, authorization, token, jwks, endSession } = providerPaths;
  let made: Promise<{ provider: Provider; until: number }> | null = null;
  // A provider keeps the keys that it was made with, so new keys need a new provider; all else is stored.
  options.feed.on('signing-keys', () => (made = null));
  const metadata = Promise.resolve({
    issuer: `${publicUrl}${mount}`,
    authorization_endpoint: `${publicUrl}${mount}${authorization}`,
    end_session_endpoint: `${publicUrl}${mount}${endSession}`,
    token_endpoint: `${inside}${mount}${token}`,
    jwks_uri: `${inside}${mount}${jwks}`,
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  });

  async function make(): Promise<{ provider: Provider; until: number }> {
    const { keys, until } = await providerKeys(database, clock.now());
    return { provider: await createProvider(options, keys), until };
  }

  return {
    async provider() {
      for (;;) {
        made ??= make();
        const making = made;
        try {
          const { provider, until } = await making;
          if (clock.now() < until) return provider;
          if (made === making) made = null;
        } catch (error) {
          if (made === making) made = null;
          throw error;
        }
      }
    },
    connection: {
      issuerKey: embeddedIssuer,
      clientId: embeddedClientId,
      clientSecret: () => embeddedClientSecret(options.database),
      hintsAtSignOut: true,
      scope: 'openid',
      metadata: () => metadata,
      expectAnswer: () => Promise.resolve(),
      clientAuth: 'basic',
      clientKey: null,
      pushesRequests: false,
      timeoutMs: 10_000,
      wantsUserInfo: () => 'no',
      async fetch(address, { method, headers, body }) {
        const { pathname, search } = new URL(address);
        const request = {
          url: `${pathname}${search}`,
          method: method as 'GET' | 'POST',
          headers: { ...headers, host: new URL(options.publicUrl).host },
        };
        const payload = await new Response(body ?? null).text();
        const answer = await options.inject(payload === '' ? request : { ...request, payload });
        if (answer.statusCode === 503) throw new StorageFailure('The embedded provider has no storage now.');
        const given = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, String(value)]],
        );
        return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers: given });
      },
    },
  };
}
