import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id } from '#contract/text.ts';

const most = 1_000;

/**
 * One browser: its open tabs, and those in which something is typed and not saved. Numbers only (MAINT-7).
 */
export const presenceOfBrowser = z.object({
  tabs: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(most)), 1),
  unsaved: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(most)), 0),
});
export type PresenceOfBrowser = z.infer<typeof presenceOfBrowser>;

export const publishPresence = route({
  method: 'PUT',
  path: '/v1/presence/:connectionId',
  summary: 'How many tabs a connected browser has, and how many with unsaved work (MAINT-7)',
  access: 'signed-in',
  closed: 'open',
  hosts: true,
  params: z.object({ connectionId: id }),
  body: z.strictObject({
    tabs: z.int().check(z.minimum(1), z.maximum(most)),
    unsaved: z.int().check(z.minimum(0), z.maximum(most)),
  }),
  answer: 'nothing',
});

/** Counted over all replicas; one person with two browsers is one person. */
export const presence = z.object({ people: z.number(), tabs: z.number(), unsaved: z.number() });
export type Presence = z.infer<typeof presence>;

export const getPresence = route({
  method: 'GET',
  path: '/v1/presence',
  summary: 'How many people and tabs are connected now; no names (MAINT-7)',
  access: { right: 'MAINTENANCE_WRITE' },
  closed: 'open',
  answer: presence,
});
