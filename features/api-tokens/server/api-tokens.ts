import { LRUCache } from 'lru-cache';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { createReadThroughCache } from '#server/platform/database/read-through-cache.ts';
import type { Caller, AccessControl } from '#server/platform/http/access-check.ts';
import type { Core, Feature } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Directory, AccountState } from '#features/directory/server/directory.ts';
import * as contract from '#features/api-tokens/contract/api-tokens.ts';
import type { FieldProblem } from '#contract/problem.ts';
import type { Change } from '#server/platform/database/database.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import * as store from './api-tokens.store.ts';

/** What a token was given, before what its creator still holds is taken into account. */
export type TokenGrant = Pick<store.StoredApiToken, 'rights' | 'createdBy'>;

export type ApiTokens = Pick<Feature, 'sweeps'> & {
  /** Whether a bearer is an API token, by its beginning. */
  isApiToken(bearer: string): boolean;
  /** The caller of an API token. Throws TOKEN_INVALID, TOKEN_EXPIRED, PERSON_BLOCKED for its creator. */
  identify(secret: string): Promise<Caller>;
  grantOf(tokenId: string): TokenGrant | Promise<TokenGrant | null>;
  routes(serve: Serve, rightsOf: AccessControl['rightsOf']): void;
};

// RFC 6750, 3.1.
const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };

/** API tokens for scripts (SES-9), looked up from memory, which the change feed keeps true. */
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

  async function noteUse(id: string, now: number): Promise<void> {
    const last = lastRecorded.get(id);
    if (last !== undefined && now - last < store.recordUseEveryMs) return;
    lastRecorded.set(id, now);
    await database.transaction((tx) => store.recordUse(tx, id, now));
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
    routes: (serve, rightsOf) => apiTokensRoutes(serve, { ...core, rightsOf, accountState }),
    sweeps: { 'API tokens': core.sweeping(store.sweepApiTokens) },
  };
}

type ApiTokensRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  accountState(personId: string): AccountState | null | Promise<AccountState | null>;
};

/** More than an operator can watch over. */
const mostTokens = 500;

/** The API tokens by route (SES-9); the command line has its own way to them. */
function apiTokensRoutes(serve: Serve, options: ApiTokensRoutesOptions): void {
  const { database, clock } = options;

  serve(contract.listApiTokens, async () => {
    const tokens = await Promise.all((await store.readApiTokens(database.read)).map(withState));
    const people = tokens.flatMap(({ createdBy, revokedBy }) => [
      createdBy.kind === 'person' ? createdBy.name : null,
      revokedBy,
    ]);
    return { tokens, names: await namesOf(database.read, people) };
  });

  serve(contract.createApiToken, async ({ body, caller }) => {
    const rights = [...new Set(body.rights)].toSorted();
    const held = await options.rightsOf(caller);
    return database.change(async (change) => {
      const now = clock.now();
      const creator = await creatorOf(change, caller);
      refuse([
        ...body.rights.flatMap((right, index) =>
          held.has(right)
            ? []
            : [
                {
                  pointer: `/rights/${index}`,
                  code: 'not-held',
                  message: 'is not a right that you hold',
                },
              ],
        ),
        ...expiryProblems(body.expiresAt, now, creator.expiresAt),
      ]);
      if ((await store.countActive(change.tx, now)) >= mostTokens) {
        throw new HttpProblem('CONFLICT', {
          detail: `There are ${mostTokens} tokens that work already. Revoke one first.`,
        });
      }
      const { name, expiresAt } = body;
      const { personId: createdBy, parentId } = creator;
      const token = { name, rights, createdBy, expiresAt, ...(parentId === null ? {} : { parentId }) };
      const { id, secret } = await store.createApiToken(change, token);
      await recordAudit(change, caller, {
        action: 'api-token.create',
        subject: id,
        after: { name, rights, createdBy, expiresAt },
      });
      const [listed] = await store.readApiTokens(change.tx, id);
      if (listed === undefined) throw new Error('The token that was just created is not there.');
      return { token: { ...listed, state: 'active' as const, inForce: rights }, secret };
    });
  });

  serve(contract.revokeApiToken, ({ params, caller }) =>
    database.change(async (change) => {
      const revoked = await store.revokeApiTokens(change, params.tokenId, caller);
      for (const { id, name, rights } of orNotFound(revoked, 'There is no such token.')) {
        const before = { name, rights };
        await recordAudit(change, caller, { action: 'api-token.revoke', subject: id, before });
      }
    }),
  );

  async function withState({ creatorId, ...token }: store.ListedApiToken): Promise<contract.ApiToken> {
    const state = await stateOf({ ...token, creatorId });
    if (state !== 'active') return { ...token, state, inForce: [] };
    const caller: Caller = { kind: 'token', id: token.id, name: token.name, sessionId: null };
    const held = await options.rightsOf(caller);
    return { ...token, state, inForce: token.rights.filter((right) => held.has(right)) };
  }

  async function stateOf(token: store.ListedApiToken): Promise<contract.ApiToken['state']> {
    if (token.revokedAt !== null) return 'revoked';
    if (clock.now() >= token.expiresAt) return 'expired';
    if (token.creatorId === null) return 'active';
    return (await options.accountState(token.creatorId))?.state === 'active' ? 'active' : 'suspended';
  }
}

type Creator = {
  /** Whose rights bound those of the new token at each use. */
  personId: string | null;
  parentId: string | null;
  /** When what creates it ends itself. */
  expiresAt: number;
};

/** A token that a token creates has the same creator, so that it never has more rights than that person. */
async function creatorOf(change: Change, caller: Caller): Promise<Creator> {
  if (caller.kind === 'person') return { personId: caller.id, parentId: null, expiresAt: Infinity };
  const token = await store.apiTokenById(change.tx, caller.id);
  // Revoked since the request was authorized.
  if (token === null) throw new HttpProblem('TOKEN_INVALID');
  return { personId: token.createdBy, parentId: token.id, expiresAt: token.expiresAt };
}

function expiryProblems(expiresAt: number, now: number, creatorEnds: number): FieldProblem[] {
  const pointer = '/expiresAt';
  if (expiresAt <= now) return [{ pointer, code: 'too_small', message: 'is over already' }];
  if (expiresAt > now + contract.longestTokenLife)
    return [{ pointer, code: 'too_big', message: 'is more than a year from now' }];
  if (expiresAt > creatorEnds)
    return [{ pointer, code: 'outlives-creator', message: 'is later than the end of the token that asks' }];
  return [];
}

function refuse(errors: FieldProblem[]): void {
  if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
}
