import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** Something that happened to the caller's account. */
export const ownChange = z.object({
  id,
  at: instant,
  kind: z.enum(['roles', 'groups', 'rights', 'password', 'profile', 'email', 'signed-out']),
  /** Whether the caller did it; otherwise an operator, or the identity provider. */
  byCaller: z.boolean(),
  /** Roles or rights that were given and taken, by key, with the name that an operator gave them. */
  given: z.array(z.object({ key: z.string(), name: z.nullable(z.string()) })),
  taken: z.array(z.object({ key: z.string(), name: z.nullable(z.string()) })),
});
export type OwnChange = z.infer<typeof ownChange>;

export const listOwnChanges = route({
  method: 'GET',
  path: '/v1/own-changes',
  summary: "What happened to the caller's account in the last 30 days, the latest first, at most 20 (HOME-2)",
  access: 'signed-in',
  answer: z.array(ownChange),
});
