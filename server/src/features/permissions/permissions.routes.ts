import { builtInRoles, getPermissions, listRoles, type Role } from '@portico/contract/permissions';
import { namesEtag } from '../../platform/etag.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import type { Permissions } from './permissions.ts';

export function permissionsRoutes(serve: Serve, permissions: Pick<Permissions, 'ofPerson'>): void {
  serve(getPermissions, async ({ params, request, reply }) => {
    const rights = await permissions.ofPerson(params.userId);
    if (rights === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such person.' });
    reply.headers({ etag: rights.etag, 'cache-control': 'private, no-cache' });
    if (namesEtag(request.headers['if-none-match'], rights.etag)) reply.code(304);
    return [...rights.sorted];
  });

  serve(listRoles, () => ({
    roles: (Object.keys(builtInRoles) as Role[]).map((role) => ({ role, rights: [...builtInRoles[role]] })),
  }));
}
