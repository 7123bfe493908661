import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { ApiTokens } from '#features/api-tokens/server/api-tokens.ts';
import { followExpiry } from './expiry.ts';
import { createEffectiveRights } from './effective-rights.ts';
import { permissionsRoutes } from './permissions.routes.ts';
import { createPreparedPermissions, type PreparedPermissionsOptions } from './prepared-permissions.ts';

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
