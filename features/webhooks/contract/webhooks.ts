import * as z from 'zod/mini';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line, version } from '#contract/text.ts';

/**
 * What webhooks report. `maintenance.switched`: the manual switch. `maintenance.held-open`,
 * `maintenance.let-go`: the break-glass file was created, removed. `diagnostics.…`: alerts (DIAG-2).
 * `report.created`, `report.replied` (by an operator or the reporter), `report.changed` (its status). `flag.changed`: made, edited, switched, archived, taken back; a rule began, grew or ended by its schedule.
 * `flag.proposal`: a change of a flag waits for a review, was approved, declined.
 * `flag.held`: the guard of a ramp took it back one step.
 * `webhook.test`: an operator tries it.
 */
export const webhookEvent = z.enum([
  'maintenance.scheduled',
  'maintenance.imminent',
  'maintenance.active',
  'maintenance.overdue',
  'maintenance.ended',
  'maintenance.cancelled',
  'maintenance.changed',
  'maintenance.switched',
  'maintenance.held-open',
  'maintenance.let-go',
  'diagnostics.error-new',
  'diagnostics.error-returned',
  'diagnostics.error-rate',
  'report.created',
  'report.replied',
  'report.changed',
  'flag.changed',
  'flag.proposal',
  'flag.held',
  'webhook.test',
]);
export type WebhookEvent = z.infer<typeof webhookEvent>;

/**
 * What a message looks like. `standard`: the event as JSON, signed (Standard Webhooks). `text`: a title and
 * lines of plain text, signed. The others are what these services take, and unsigned.
 */
export const webhookShape = z.enum(['standard', 'slack', 'teams', 'discord', 'pagerduty', 'text']);
export type WebhookShape = z.infer<typeof webhookShape>;

/** The languages of the words in a message that people read. */
export const webhookLanguage = z.enum(['en', 'de', 'fr']);
export type WebhookLanguage = z.infer<typeof webhookLanguage>;

/** An area that webhooks report about: the first word of its events. A test is sent whatever the areas are. */
export const webhookArea = z.enum(['maintenance', 'diagnostics', 'report', 'flag']);
export type WebhookArea = z.infer<typeof webhookArea>;

/** Whether its messages carry a signature, and it therefore has a secret to store. */
export function isSigned(shape: WebhookShape): boolean {
  return shape === 'standard' || shape === 'text';
}

const fields = {
  /** `https:` or `http:`, without a user name or password; redirects are not followed. */
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)),
  description: line(0, 200),
  enabled: z.boolean(),
};
const areas = z.array(webhookArea).check(z.minLength(1), z.maxLength(webhookArea.options.length));

export const webhook = z.object({
  id,
  ...fields,
  shape: webhookShape,
  language: webhookLanguage,
  areas,
  createdAt: instant,
  createdBy: z.string(),
  /** The state of the last delivery that was tried, by its last try; null before the first try. */
  lastDelivery: z.nullable(z.object({ at: instant, ok: z.boolean(), status: z.nullable(z.number()) })),
  version,
});
export type Webhook = z.infer<typeof webhook>;

/** One try: what the receiver answered, or why there was no answer. */
export const webhookAttempt = z.object({
  at: instant,
  /** Milliseconds until the answer or the failure. */
  took: z.number(),
  status: z.nullable(z.number()),
  /**
   * `timeout`, `refused`, `unresolved`, `tls`, `forbidden-address`, `network`: no answer. `redirect`: an
   * answer that leads elsewhere. `disabled`: given up, since the webhook was switched off; `restored`: since
   * a backup was restored; `not-composed`: its event cannot be written in this shape. Null where there was another answer.
   */
  failure: z.nullable(z.string()),
});

/** Whether a try has reached the receiver and was accepted. */
export function isGood({
  status,
  failure,
}: Pick<z.infer<typeof webhookAttempt>, 'status' | 'failure'>): boolean {
  return failure === null && status !== null && status >= 200 && status < 300;
}

export const webhookDelivery = z.object({
  /** The id, also in the header `webhook-id`; the same for each try. */
  id,
  event: webhookEvent,
  createdAt: instant,
  /** `waiting` for its first or next try, `delivered` by an answer of 2xx, `failed` after the last try. */
  state: z.enum(['waiting', 'delivered', 'failed']),
  nextTryAt: z.nullable(instant),
  attempts: z.array(webhookAttempt),
  /** What was sent, as text; without the key of PagerDuty. */
  body: z.string(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const access = { right: 'SETTINGS_WRITE' } as const;
const oneWebhook = z.object({ webhookId: id });

export const listWebhooks = route({
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'The webhooks, in the order in which they were added',
  access,
  closed: 'open',
  answer: z.object({ webhooks: z.array(webhook), names: peopleNames }),
});

/**
 * The secret is shown this once (Standard Webhooks: `whsec_` and base64); null where messages are not signed.
 * `key` is PagerDuty's integration key, which goes with each message and is never shown again.
 */
export const addWebhook = route({
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Adds a webhook; its secret is in this answer alone',
  access,
  fresh: true,
  creates: true,
  closed: 'open',
  body: z.strictObject({
    ...fields,
    shape: z._default(webhookShape, 'standard'),
    language: z._default(webhookLanguage, 'en'),
    areas: z._default(areas, webhookArea.options),
    key: z.optional(line(1, 200)),
  }),
  answer: z.object({ webhook, secret: z.nullable(z.string()) }),
  status: 201,
});

export const changeWebhook = route({
  method: 'PUT',
  path: '/v1/webhooks/:webhookId',
  summary: 'Changes a webhook',
  access,
  closed: 'open',
  params: oneWebhook,
  body: z.strictObject({
    ...fields,
    language: z.optional(webhookLanguage),
    areas: z.optional(areas),
    version,
  }),
  answer: webhook,
});

export const previewWebhook = route({
  method: 'GET',
  path: '/v1/webhook-preview',
  summary: 'Examples of what a webhook of a shape is sent',
  access,
  closed: 'open',
  query: z.object({ shape: webhookShape, language: z._default(webhookLanguage, 'en') }),
  answer: z.object({
    /** `text`: what people read of it. */
    examples: z.array(z.object({ event: webhookEvent, text: z.string(), body: z.string() })),
  }),
});

export const removeWebhook = route({
  method: 'DELETE',
  path: '/v1/webhooks/:webhookId',
  summary: 'Removes a webhook, its log and what still waits to be delivered',
  access,
  closed: 'open',
  params: oneWebhook,
  answer: 'nothing',
});

export const testWebhook = route({
  method: 'POST',
  path: '/v1/webhooks/:webhookId/test',
  summary: 'Sends it a `webhook.test`',
  access,
  creates: true,
  closed: 'open',
  params: oneWebhook,
  answer: webhookDelivery,
  status: 202,
});

export const listDeliveries = route({
  method: 'GET',
  path: '/v1/webhooks/:webhookId/deliveries',
  summary: 'Its deliveries, the latest first, with each attempt',
  access,
  closed: 'open',
  params: oneWebhook,
  query: z.object({
    cursor: z.optional(z.string().check(z.maxLength(1000))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
  }),
  answer: z.object({ deliveries: z.array(webhookDelivery), next: z.nullable(z.string()) }),
});

export const redeliverAll = route({
  method: 'POST',
  path: '/v1/webhooks/:webhookId/redeliver',
  summary: 'Sends everything again that has not arrived, each under the same id',
  access,
  creates: true,
  closed: 'open',
  params: oneWebhook,
  answer: z.object({ deliveries: z.number() }),
  status: 202,
});

export const redeliver = route({
  method: 'POST',
  path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
  summary: 'Sends it again, under the same id',
  access,
  creates: true,
  closed: 'open',
  params: z.object({ webhookId: id, deliveryId: id }),
  answer: webhookDelivery,
  status: 202,
});

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

const ownNotices = z.object({
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
