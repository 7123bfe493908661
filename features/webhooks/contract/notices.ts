import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { version } from '#contract/text.ts';
import { webhookArea, type WebhookArea } from './webhooks.ts';

/** The right that each area requires. */
export const noticeRights = {
  maintenance: 'MAINTENANCE_WRITE',
  diagnostics: 'DIAGNOSTICS_READ',
  report: 'REPORTS_READ',
  flag: 'FLAGS_READ',
} as const satisfies Record<WebhookArea, string>;

const choice = {
  areas: z.array(webhookArea).check(z.maxLength(webhookArea.options.length)),
  /** Whether events are collected until 8:00 in the person's time zone; if not, for a minute after the first. */
  daily: z.boolean(),
  version,
};

export const ownNotices = z.object({
  ...choice,
  /** Whether this installation sends mail. */
  mail: z.boolean(),
});
export type OwnNotices = z.infer<typeof ownNotices>;

export const getOwnNotices = route({
  method: 'GET',
  path: '/v1/own-notices',
  summary: 'What the caller is told by mail (CON-8)',
  access: 'signed-in',
  answer: ownNotices,
});

export const setOwnNotices = route({
  method: 'PUT',
  path: '/v1/own-notices',
  summary: 'Chooses what the caller is told by mail; each area takes the right to see it (CON-8)',
  access: 'signed-in',
  body: z.strictObject(choice),
  answer: ownNotices,
});
