import * as contract from '#features/api-tokens/contract/api-tokens.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import type { Core } from '#server/core.ts';
import { feature, namesIn } from '#server/feature.ts';
import type { Ground } from '#server/ground.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import * as store from './api-tokens.store.ts';

export const apiTokensFeature = feature({
  create: (core, ground) => ({
    sweeps: { 'API tokens': core.sweeping(store.sweepApiTokens) },
    routes: (serve) => apiTokensRoutes(serve, core, ground),
  }),
  fates: {
    api_token: {
      own: ['id', 'name', 'secret_hash', 'rights', 'created_by', 'parent_id'],
      name: ['revoked_by'],
      id: ['revoked_by_id'],
    },
  },
  names: {
    'api-token': namesIn('api_token', 'id', 'name'),
  },
});

/** More than an operator can watch over. */
const mostTokens = 500;

/** The API tokens by route (SES-9); the command line has its own way to them. */
function apiTokensRoutes(
  serve: Serve,
  { database, clock }: Core,
  { rightsOf, directory: { accountState } }: Ground,
): void {
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
    const held = await rightsOf(caller);
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
    const held = await rightsOf(caller);
    return { ...token, state, inForce: token.rights.filter((right) => held.has(right)) };
  }

  async function stateOf(token: store.ListedApiToken): Promise<contract.ApiToken['state']> {
    if (token.revokedAt !== null) return 'revoked';
    if (clock.now() >= token.expiresAt) return 'expired';
    if (token.creatorId === null) return 'active';
    return (await accountState(token.creatorId))?.state === 'active' ? 'active' : 'suspended';
  }
}

type Creator = {
  /** The person whose rights limit those of the new token at each use; null: the command line. */
  personId: string | null;
  parentId: string | null;
  /** When the creator itself expires; the new token may not expire later. */
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
