import { setTimeout } from 'node:timers/promises';
import type { ServerMetadata } from 'openid-client';
import type { Core } from '#server/core.ts';
import type { OutsideProviderSettings } from '#server/config.ts';
import type { ClaimPath } from '#server/config-claim-paths.ts';
import { SignInRefusal } from '#features/session/server/sign-in-refusal.ts';
import type { ProviderConnection } from '#features/session/server/provider-client.ts';
import type { Claims } from '#features/session/server/provider-tokens.ts';
import { claimAt } from './read-claims.ts';
import { discover, stepUpProblem, type Discovered } from './discovery.ts';

/** The most bytes of an answer; the largest key sets and tokens stay far below. */
const mostBytes = 1_000_000;

/** How long the discovery document is used before it is read again. */
const freshMs = 3_600_000;
const retryMs = 60_000;
/** How long an answer counts as a sign that the provider answers browsers too, and the longest wait for one. */
const answeredForMs = 5_000;
const longestWaitMs = 3_000;

/**
 * How Portico reaches the company's own provider (SES-4). The provider is asked at the first sign-in, not at the
 * start, so that a provider that is down affects sign-ins alone. While it is down, its last discovery document is
 * used.
 */
export function createProviderConnection(
  options: Pick<Core, 'clock' | 'logger'> & {
    settings: OutsideProviderSettings;
  },
): ProviderConnection {
  const { settings, clock, logger } = options;
  const { timeoutMs } = settings;
  // openid-client speaks https alone. A provider on this machine is declared to it as https, and called by
  // http.
  const withoutTls = settings.issuer.startsWith('http:');
  let cached: { metadata: ServerMetadata; askAgainAt: number } | null = null;
  let asking: Promise<ServerMetadata> | null = null;
  let answers = 0;
  let answeredAt = -Infinity;

  function ask(): Promise<ServerMetadata> {
    asking ??= askNow().finally(() => (asking = null));
    return asking;
  }

  async function askNow(): Promise<ServerMetadata> {
    const found = await discover(settings.issuer, { fetch: providerFetch, timeoutMs });
    if (isAnswer(found)) {
      answers += 1;
      answeredAt = clock.now();
    }
    if (found.outcome !== 'found') throw refusalOf(found);
    const metadata = asHttps(found.metadata);
    const before = cached?.metadata;
    // The same object while nothing has changed, so that the client that is built on it stays.
    const same = before !== undefined && JSON.stringify(before) === JSON.stringify(metadata);
    const problem = same ? null : stepUpProblem(metadata, settings.stepUp);
    if (problem !== null) logger.warn({ issuer: settings.issuer }, problem);
    cached = { metadata: same ? before : metadata, askAgainAt: clock.now() + freshMs };
    return cached.metadata;
  }

  function asHttps(metadata: ServerMetadata): ServerMetadata {
    if (!withoutTls) return metadata;
    const asked = [
      'token_endpoint',
      'jwks_uri',
      'userinfo_endpoint',
      'revocation_endpoint',
      'pushed_authorization_request_endpoint',
    ] as const;
    const changed = asked.map((name) => [name, metadata[name]?.replace(/^http:/, 'https:')] as const);
    return { ...metadata, ...Object.fromEntries(changed.filter(([, address]) => address !== undefined)) };
  }

  function refusalOf(found: Exclude<Discovered, { outcome: 'found' }>): Error {
    if (found.outcome === 'unreachable')
      return new SignInRefusal('provider-unreachable', 'The provider cannot be reached.', found.error);
    if (found.outcome === 'status' && found.status >= 500)
      return new SignInRefusal(
        'provider-unreachable',
        `The provider answered with the status ${found.status}.`,
      );
    return new SignInRefusal(
      'provider-answer',
      `The discovery document is not usable (${found.outcome}); "portico oidc check" says more.`,
    );
  }

  return {
    issuerKey: settings.issuer,
    clientId: settings.clientId,
    clientSecret: () => Promise.resolve(settings.clientSecret),
    clientAuth: settings.clientAuth,
    clientKey: settings.clientKey,
    pushesRequests: settings.pushesRequests,
    hintsAtSignOut: settings.signOutHint === 'id_token',
    scope: settings.scope,
    fetch: withoutTls
      ? (address, init) => providerFetch(address.replace(/^https:/, 'http:'), init)
      : providerFetch,
    timeoutMs,
    metadata() {
      if (cached === null) return ask();
      if (clock.now() >= cached.askAgainAt && asking === null) {
        cached.askAgainAt = clock.now() + retryMs;
        ask().catch((error: unknown) =>
          logger.warn(
            { err: error },
            'the discovery document could not be read again; the one before is used',
          ),
        );
      }
      return Promise.resolve(cached.metadata);
    },
    async expectAnswer() {
      if (Math.abs(clock.now() - answeredAt) < answeredForMs) return;
      const before = answers;
      const deadline = new AbortController();
      // The provider's new document may be unusable: then the one before is used.
      await Promise.race([
        ask().catch(() => undefined),
        setTimeout(longestWaitMs, undefined, { ref: false, signal: deadline.signal }).catch(() => undefined),
      ]);
      deadline.abort();
      if (answers === before)
        throw new SignInRefusal('provider-unreachable', 'The provider does not answer now.');
    },
    wantsUserInfo(claims) {
      if (settings.claimsFrom !== 'auto') return settings.claimsFrom === 'userinfo' ? 'yes' : 'no';
      return lacksSomething(claims, settings.claims) ? 'if-it-answers' : 'no';
    },
  };
}

/** Whether the provider answered, and with something other than a server error. */
function isAnswer(found: Discovered): boolean {
  return found.outcome !== 'unreachable' && !(found.outcome === 'status' && found.status >= 500);
}

function lacksSomething(claims: Claims, wanted: OutsideProviderSettings['claims']): boolean {
  const has = (paths: readonly ClaimPath[]): boolean =>
    paths.some((path) => claimAt(claims, path) !== undefined);
  const names = wanted.name ?? [['name'], ['given_name'], ['family_name']];
  return ![names, wanted.email, wanted.roles, wanted.groups].every(has);
}

/** `fetch` for a provider's endpoints: what is too long is not read to its end. */
export const providerFetch: ProviderConnection['fetch'] = async (address, options) => {
  const { body = null, ...others } = options;
  const answer = await fetch(address, { ...others, body });
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream: AsyncIterable<Uint8Array> | null = answer.body;
  if (stream !== null) {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > mostBytes) throw new Error(`The provider’s answer is longer than ${mostBytes} bytes.`);
      chunks.push(chunk);
    }
  }
  const { status, statusText, headers } = answer;
  const content = size === 0 ? null : new Uint8Array(Buffer.concat(chunks));
  return new Response(content, { status, statusText, headers });
};
