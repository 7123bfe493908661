import type { WebhookShape } from '#features/webhooks/contract/webhooks.ts';
import { feature } from '#server/feature.ts';
import type { Ground } from '#server/ground.ts';
import type { Core } from '#server/core.ts';
import { addWaiting } from '#server/platform/metrics/metrics.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { publicPart } from './addresses.ts';
import { createNotices } from './notices.ts';
import { createNotices as createNoticeTables } from './notices.store.ts';
import { startSender } from './sender.ts';
import { webhooksRoutes } from './webhooks.routes.ts';
import { createAreas, createShapes, sweepDeliveries, waitingDeliveries } from './webhooks.store.ts';

export const webhooksFeature = feature({
  migrations: {
    '0039-webhook-shapes': { up: createShapes },
    '0042-webhook-areas': { up: createAreas },
    '0044-notices': { up: createNoticeTables },
  },
  create: createWebhooks,
  fates: {
    webhook: {
      'not personal': ['id', 'secret', 'shape', 'language', 'areas'],
      name: ['created_by'],
      id: ['created_by_id'],
      'free text': ['url', 'description'],
    },
    webhook_delivery: { 'not personal': ['id', 'webhook_id', 'event', 'state'], rewritten: ['body'] },
    notice_choice: { 'not personal': ['areas'], own: ['person_id'] },
    notice_event: { 'not personal': ['id', 'event'], rewritten: ['body'] },
    webhook_attempt: { 'not personal': ['delivery_id', 'failure'] },
  },
  names: {
    webhook: async (read, ids) => {
      const rows = await read
        .selectFrom('webhook')
        .select(['id', 'description', 'url', 'shape'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [row.id, row.description || publicPart(row.url, row.shape as WebhookShape)]);
    },
  },
});

/** Signed messages to other programs (Standard Webhooks) and mails to people, sent as soon as this is made. */
function createWebhooks(core: Core, ground: Pick<Ground, 'mail' | 'rightsOf' | 'permissions' | 'branding'>) {
  addWaiting(core.metrics, 'webhook_deliveries', 'Webhooks that are still to be sent', waitingDeliveries);
  const notices = createNotices(core, { ...ground, ofPerson: ground.permissions.ofPerson });
  const sender = startSender({
    ...core,
    publicUrl: core.config.publicUrl,
    userAgent: `Portico/${core.version}`,
  });
  return {
    routes(serve: Serve) {
      webhooksRoutes(serve, { ...core, publicUrl: core.config.publicUrl });
      notices.routes(serve);
    },
    sweeps: { 'log of webhooks': core.sweeping(sweepDeliveries), ...notices.sweeps },
    /** Sends nothing more; waits a few seconds for what is on its way. */
    close: async () => void (await Promise.all([sender.close(), notices.close()])),
  };
}
