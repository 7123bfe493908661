import { LRUCache } from 'lru-cache';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Core, Feature } from '#server/core.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Directory } from '#features/directory/server/directory.ts';
import { apiTokensRoutes } from './api-tokens.routes.ts';
import {
  apiTokenById,
  apiTokenByHash,
  apiTokenPrefix,
  nextEnd,
  recordUse,
  recordUseEveryMs,
  sweepApiTokens,
  type StoredApiToken,
} from './api-tokens.store.ts';

/** What a token was given, before what its creator still holds is taken into account. */
export type TokenGrant = Pick<StoredApiToken, 'rights' | 'createdBy'>;

export type ApiTokens = Pick<Feature, 'sweeps'> & {
  /** Whether a bearer is an API token, by its beginning. */
  isApiToken(bearer: string): boolean;
  /**
   * The caller behind an API token. Throws TOKEN_INVALID, TOKEN_EXPIRED, or PERSON_BLOCKED where its creator
   * is blocked.
   */
  identify(secret: string): Promise<Caller>;
  grantOf(tokenId: string): TokenGrant | Promise<TokenGrant | null>;
  routes(serve: Serve, rightsOf: AccessControl['rightsOf']): void;
};

// RFC 6750, 3.1.
const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };

/** API tokens for scripts (SES-9), looked up from memory, which the change feed keeps true. */
export function createApiTokens(core: Core, { accountState }: Directory): ApiTokens {
  const { database, feed, clock } = core;
  const bySecret = createReadThroughCache<StoredApiToken>({
    max: 1_000,
    read: (hash) => apiTokenByHash(database.read, hash),
  });
  const byId = createReadThroughCache<StoredApiToken>({
    max: 1_000,
    read: (id) => apiTokenById(database.read, id),
  });
  feed.on('api-tokens', ({ key }) => {
    bySecret.dropAll();
    byId.drop(key);
  });
  core.metrics.add({
    name: 'portico_api_tokens_next_end_seconds',
    help: 'Time until the first API token ends; left out while there is none.',
    type: 'gauge',
    of: 'database',
    async read(read, now) {
      const at = await nextEnd(read, now);
      return at === null ? null : (at - now) / 1_000;
    },
  });
  const lastRecorded = new LRUCache<string, number>({ max: 1_000 });

  async function noteUse(id: string, now: number): Promise<void> {
    const last = lastRecorded.get(id);
    if (last !== undefined && now - last < recordUseEveryMs) return;
    lastRecorded.set(id, now);
    await database.transaction((tx) => recordUse(tx, id, now));
  }

  return {
    isApiToken: (bearer) => bearer.startsWith(apiTokenPrefix),
    async identify(secret) {
      const token = await bySecret.get(hashSecret(secret));
      if (token === null) throw new HttpProblem('TOKEN_INVALID', { headers: challenge });
      const now = clock.now();
      if (now >= token.expiresAt) throw new HttpProblem('TOKEN_EXPIRED', { headers: challenge });
      if (token.createdBy !== null && (await accountState(token.createdBy))?.state !== 'active') {
        throw new HttpProblem('PERSON_BLOCKED', {
          detail: 'The person who created this token may not sign in.',
        });
      }
      await noteUse(token.id, now);
      return { kind: 'token', id: token.id, name: token.name, sessionId: null };
    },
    grantOf: (tokenId) => byId.get(tokenId),
    routes: (serve, rightsOf) => apiTokensRoutes(serve, { ...core, rightsOf, accountState }),
    sweeps: { 'API tokens': core.sweeping(sweepApiTokens) },
  };
}
