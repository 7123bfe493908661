import { LRUCache } from 'lru-cache';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import { isStorageFailure } from '#server/platform/database/storage-failure.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Core } from '#server/core.ts';
import type { Directory } from '#features/directory/server/directory.ts';
import * as store from './api-tokens.store.ts';

/** What a token was given, before what its creator still holds is taken into account. */
export type TokenGrant = Pick<store.StoredApiToken, 'rights' | 'createdBy'>;

export type ApiTokens = {
  /** Whether a bearer token is an API token, judged by its prefix. */
  isApiToken(bearer: string): boolean;
  /** The caller of an API token. Throws TOKEN_INVALID, TOKEN_EXPIRED, PERSON_BLOCKED for its creator. */
  identify(secret: string): Promise<Caller>;
  grantOf(tokenId: string): TokenGrant | Promise<TokenGrant | null>;
};

// RFC 6750, 3.1.
const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };

/** API tokens for scripts (SES-9), looked up in a cache that the change feed keeps current. */
export function createApiTokens(core: Core, { accountState }: Directory): ApiTokens {
  const { database, feed, clock } = core;
  const bySecret = createReadThroughCache<store.StoredApiToken>({
    max: 1_000,
    read: (hash) => store.apiTokenByHash(database.read, hash),
  });
  const byId = createReadThroughCache<store.StoredApiToken>({
    max: 1_000,
    read: (id) => store.apiTokenById(database.read, id),
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
      const at = await store.nextEnd(read, now);
      return at === null ? null : (at - now) / 1_000;
    },
  });
  const lastRecorded = new LRUCache<string, number>({ max: 1_000 });

  /** A full disk does not prevent reading. */
  async function noteUse(id: string, now: number): Promise<void> {
    const last = lastRecorded.get(id);
    if (last !== undefined && now - last < store.recordUseEveryMs) return;
    lastRecorded.set(id, now);
    try {
      await database.transaction((tx) => store.recordUse(tx, id, now));
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
    }
  }

  return {
    isApiToken: (bearer) => bearer.startsWith(store.apiTokenPrefix),
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
  };
}
