import {
  createApiToken,
  listApiTokens,
  longestTokenLife,
  revokeApiToken,
  type ApiToken,
} from '#features/api-tokens/contract/api-tokens.ts';
import type { FieldProblem } from '#contract/problem.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Change, Database } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import type { AccountState } from '#features/directory/server/directory.ts';
import {
  apiTokenById,
  countActive,
  createApiToken as addApiToken,
  readApiTokens,
  revokeApiTokens,
  type ListedApiToken,
} from './api-tokens.store.ts';

export type ApiTokensRoutesOptions = {
  database: Database;
  clock: Clock;
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  accountState(personId: string): AccountState | null | Promise<AccountState | null>;
};

/** More than an operator can watch over. */
const mostTokens = 500;

/** The API tokens by route (SES-9); the command line has its own way to them. */
export function apiTokensRoutes(serve: Serve, options: ApiTokensRoutesOptions): void {
  const { database, clock } = options;

  serve(listApiTokens, async () => {
    const tokens = await Promise.all((await readApiTokens(database.read)).map(withState));
    const people = tokens.flatMap(({ createdBy, revokedBy }) => [
      createdBy.kind === 'person' ? createdBy.name : null,
      revokedBy,
    ]);
    return { tokens, names: await namesOf(database.read, people) };
  });

  serve(createApiToken, async ({ body, caller }) => {
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
      if ((await countActive(change.tx, now)) >= mostTokens) {
        throw new HttpProblem('CONFLICT', {
          detail: `There are ${mostTokens} tokens that work already. Revoke one first.`,
        });
      }
      const { name, expiresAt } = body;
      const { personId: createdBy, parentId } = creator;
      const token = { name, rights, createdBy, expiresAt, ...(parentId === null ? {} : { parentId }) };
      const { id, secret } = await addApiToken(change, token);
      await recordAudit(change, caller, {
        action: 'api-token.create',
        subject: id,
        after: { name, rights, createdBy, expiresAt },
      });
      const [listed] = await readApiTokens(change.tx, id);
      if (listed === undefined) throw new Error('The token that was just created is not there.');
      return { token: { ...listed, state: 'active' as const, inForce: rights }, secret };
    });
  });

  serve(revokeApiToken, ({ params, caller }) =>
    database.change(async (change) => {
      const revoked = await revokeApiTokens(change, params.tokenId, caller);
      for (const { id, name, rights } of orNotFound(revoked, 'There is no such token.')) {
        const before = { name, rights };
        await recordAudit(change, caller, { action: 'api-token.revoke', subject: id, before });
      }
    }),
  );

  async function withState({ creatorId, ...token }: ListedApiToken): Promise<ApiToken> {
    const state = await stateOf({ ...token, creatorId });
    if (state !== 'active') return { ...token, state, inForce: [] };
    const caller: Caller = { kind: 'token', id: token.id, name: token.name, sessionId: null };
    const held = await options.rightsOf(caller);
    return { ...token, state, inForce: token.rights.filter((right) => held.has(right)) };
  }

  async function stateOf(token: ListedApiToken): Promise<ApiToken['state']> {
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
  const token = await apiTokenById(change.tx, caller.id);
  // Revoked since the request was authorized.
  if (token === null) throw new HttpProblem('TOKEN_INVALID');
  return { personId: token.createdBy, parentId: token.id, expiresAt: token.expiresAt };
}

function expiryProblems(expiresAt: number, now: number, creatorEnds: number): FieldProblem[] {
  const pointer = '/expiresAt';
  if (expiresAt <= now) return [{ pointer, code: 'too_small', message: 'is over already' }];
  if (expiresAt > now + longestTokenLife)
    return [{ pointer, code: 'too_big', message: 'is more than a year from now' }];
  if (expiresAt > creatorEnds)
    return [{ pointer, code: 'outlives-creator', message: 'is later than the end of the token that asks' }];
  return [];
}

function refuse(errors: FieldProblem[]): void {
  if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
}
