import type { WebhookShape } from '#features/webhooks/contract/webhooks.ts';
import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { publicPart } from './addresses.ts';
import { startSender } from './sender.ts';
import { webhooksRoutes } from './webhooks.routes.ts';
import { createAreas, createShapes, sweepDeliveries } from './webhooks.store.ts';

export const webhooksFeature = feature({
  migrations: { '0039-webhook-shapes': { up: createShapes }, '0042-webhook-areas': { up: createAreas } },
  create: createWebhooks,
  fates: {
    webhook: {
      'not personal': ['id', 'secret', 'shape', 'language', 'areas'],
      name: ['created_by'],
      'free text': ['url', 'description'],
    },
    webhook_delivery: { 'not personal': ['id', 'webhook_id', 'event', 'state'], rewritten: ['body'] },
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

/** Signed messages to other programs (Standard Webhooks), sent as soon as this is made. */
function createWebhooks(core: Core) {
  const sender = startSender({
    ...core,
    publicUrl: core.config.publicUrl,
    userAgent: `Portico/${core.version}`,
  });
  return {
    routes: (serve: Serve) => webhooksRoutes(serve, { ...core, publicUrl: core.config.publicUrl }),
    sweeps: { 'log of webhooks': core.sweeping(sweepDeliveries) },
    /** Sends nothing more; waits a few seconds for what is on its way. */
    close: sender.close,
  };
}
