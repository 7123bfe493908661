import * as z from 'zod/mini';
import { rightCatalogue } from '#contract/features.ts';

export type Right = (typeof rightCatalogue)[number]['right'];
export const right = z.enum(rightCatalogue.map((entry) => entry.right));

/** The built-in roles (RIGHT-3). Labels are the catalogues' `ROLES.<role>`. */
export const role = z.enum(['operator', 'support', 'member']);
export type Role = z.infer<typeof role>;

const held: readonly { right: Right; roles: readonly Role[] }[] = rightCatalogue;
const heldBy = (one: Role) => held.filter(({ roles }) => roles.includes(one)).map((entry) => entry.right);

export const builtInRoles: Readonly<Record<Role, readonly Right[]>> = {
  operator: rightCatalogue.map((entry) => entry.right),
  support: heldBy('support'),
  member: heldBy('member'),
};

/** Rights with this prefix are added by the web for flags (RIGHT-7); they cannot be granted. */
export const reservedRightPrefix = 'FF_';
