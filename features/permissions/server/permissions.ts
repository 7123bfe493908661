import type { IncomingMessage } from 'node:http';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { namesEtag, type PreparedAnswer } from '#server/platform/http/prepared-answers.ts';
import type { RateLimit } from '#server/platform/http/rate-limit.ts';
import type { ApiTokens } from '#features/api-tokens/server/api-tokens.ts';
import { followExpiry } from './expiry.ts';
import { createEffectiveRights, type EffectiveRights, type RightsInMemory } from './effective-rights.ts';
import { permissionsRoutes } from './permissions.routes.ts';

type PreparedPermissionsOptions = {
  /** The caller behind a bearer token, where that is in memory. */
  verifiedCaller(bearer: string): Caller | null;
  permissions: Pick<RightsInMemory, 'ofPerson'>;
  /** The rate limit by caller, as for every route. */
  limit: RateLimit;
  /** The headers of every answer of the server. */
  headers: Readonly<Record<string, string>>;
};

const path = getPermissions.path.replace(':userId', 'current');
const scheme = 'Bearer ';

/** Permissions: rights, roles, groups, grants and denials. */
export async function createPermissions(core: Core, apiTokens: Pick<ApiTokens, 'grantOf'>) {
  const held = createEffectiveRights({ ...core, tokenGrant: apiTokens.grantOf });
  const expiry = await followExpiry(core);
  return {
    ...held,
    /** Answers of `getPermissions` from memory. */
    preparedAnswers: (parts: Pick<PreparedPermissionsOptions, 'verifiedCaller' | 'limit'>) =>
      createPreparedPermissions({ ...parts, permissions: held, headers: core.securityHeaders }),
    routes: (serve: Serve) => permissionsRoutes(serve, { ...core, held }),
    close: expiry.close,
  };
}

/**
 * Answers the request that every page sends each minute, for the rights of its person, where token and rights are
 * in memory; null for all other requests, which the route answers. People with the same rights share the bytes.
 */
function createPreparedPermissions(options: PreparedPermissionsOptions) {
  const { verifiedCaller, permissions, limit, headers } = options;
  const made = new WeakMap<EffectiveRights, { whole: PreparedAnswer; unchanged: PreparedAnswer }>();

  function answersOf(held: EffectiveRights): { whole: PreparedAnswer; unchanged: PreparedAnswer } {
    const known = made.get(held);
    if (known !== undefined) return known;
    const body = Buffer.from(JSON.stringify(held.sorted));
    const common = { ...headers, etag: held.etag, 'cache-control': 'private, no-cache' };
    const type = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
    };
    const answers = {
      whole: { status: 200, headers: Object.entries({ ...common, ...type }).flat(), body },
      unchanged: { status: 304, headers: Object.entries(common).flat(), body: Buffer.alloc(0) },
    } as const;
    made.set(held, answers);
    return answers;
  }

  return ({ url, method, headers: sent }: IncomingMessage): PreparedAnswer | null => {
    if (url !== path || method !== 'GET' || sent.authorization?.startsWith(scheme) !== true) return null;
    const caller = verifiedCaller(sent.authorization.slice(scheme.length));
    // The route refuses callers who are too fast, and says when they may ask again.
    if (caller === null || limit.left(caller.id) < 1) return null;
    const held = permissions.ofPerson(caller.id);
    if (held instanceof Promise) {
      // The route waits for the same reading.
      held.catch(() => {});
      return null;
    }
    limit.take(caller.id);
    const { whole, unchanged } = answersOf(held);
    return namesEtag(sent['if-none-match'], held.etag) ? unchanged : whole;
  };
}
