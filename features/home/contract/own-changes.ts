import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** Something that happened to the caller's account. */
export const ownChange = z.object({
  id,
  at: instant,
  kind: z.enum([
    'roles',
    'groups',
    'rights',
    'password',
    'password-removed',
    'factor-added',
    'factor-removed',
    'factors-reset',
    'recovery-codes',
    'new-browser',
    'sign-in-failed',
    'sign-in-slowed',
    'profile',
    'email',
    'signed-out',
  ]),
  /** Whether the caller did it. If not: an operator, the identity provider, or a stranger who tried to sign in. */
  byCaller: z.boolean(),
  /** The browser of the change, such as `Firefox 150 (Windows)`, unless it was an operator's; null: not known. */
  client: z.nullable(z.string()),
  /** The network that a sign-in came from, a /24 or /48; null: not known. */
  network: z.nullable(z.string()),
  /** Roles or rights that were given and taken, by key, with the name that an operator gave them. */
  given: z.array(z.object({ key: z.string(), name: z.nullable(z.string()) })),
  taken: z.array(z.object({ key: z.string(), name: z.nullable(z.string()) })),
});
export type OwnChange = z.infer<typeof ownChange>;

export const listOwnChanges = route({
  method: 'GET',
  path: '/v1/own-changes',
  summary:
    "What happened to the caller's account in the last 30 days, the latest first, at most 50 (HOME-2, SES-14)",
  access: 'signed-in',
  answer: z.array(ownChange),
});
