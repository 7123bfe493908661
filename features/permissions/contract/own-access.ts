import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** The source of a right, as its holder may read it: without the author and the reason. */
export const accessSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('role'), role: z.string() }),
  z.object({ kind: z.literal('group'), role: z.string(), group: z.string() }),
  z.object({ kind: z.literal('exception'), expiresAt: z.nullable(instant) }),
]);
export type AccessSource = z.infer<typeof accessSource>;

/** A right that a person holds, or would hold without an exception. */
export const accessRight = z.object({
  right: z.string(),
  area: z.string(),
  /** False: a right of the operators' own, with the label that they wrote. */
  builtIn: z.boolean(),
  label: z.string(),
  description: z.string(),
  allowed: z.boolean(),
  sources: z.array(accessSource),
  /** The denial that takes the right away. */
  denied: z.nullable(z.object({ expiresAt: z.nullable(instant) })),
});
export type AccessRight = z.infer<typeof accessRight>;

export const ownAccess = z.object({
  /** In the order of the catalogue. */
  rights: z.array(accessRight),
  /** What the operators' own roles are called, by role. */
  roleNames: z.record(z.string(), z.string()),
});
export type OwnAccess = z.infer<typeof ownAccess>;

export const getOwnAccess = route({
  method: 'GET',
  path: '/v1/users/:userId/access',
  summary: 'What a person may do, and by which role, group or exception (RIGHT-4); `current` is the caller',
  access: { self: 'userId', orRight: 'PEOPLE_READ' },
  params: z.object({ userId: id }),
  answer: ownAccess,
});

const permissions = z.array(z.string());

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
