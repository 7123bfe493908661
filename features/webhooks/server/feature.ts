import { feature } from '#server/feature.ts';
import { createWebhooks } from './webhooks.ts';

export const webhooksFeature = feature({
  create: createWebhooks,
  fates: {
    webhook: { 'not personal': ['id', 'secret'], name: ['created_by'], 'free text': ['url', 'description'] },
    webhook_delivery: { 'not personal': ['id', 'webhook_id', 'event', 'state'], rewritten: ['body'] },
    webhook_attempt: { 'not personal': ['delivery_id', 'failure'] },
  },
  names: {
    webhook: async (read, ids) => {
      const rows = await read
        .selectFrom('webhook')
        .select(['id', 'description', 'url'])
        .where('id', 'in', ids)
        .execute();
      return rows.map((row) => [row.id, row.description || row.url.replace(/\?.*$/s, '')]);
    },
  },
});
