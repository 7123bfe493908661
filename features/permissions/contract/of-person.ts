import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id } from '#contract/text.ts';

export const permissions = z.array(z.string());

export const getPermissions = route({
  method: 'GET',
  path: '/v2/users/:userId/permissions',
  summary: 'The rights of a person: sorted, without repeats, with an ETag (RIGHT-1)',
  access: { self: 'userId', orRight: 'PEOPLE_READ' },
  closed: 'open',
  hosts: true,
  params: z.object({ userId: id }),
  answer: permissions,
});
