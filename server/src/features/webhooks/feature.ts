import { feature } from '../../feature.ts';
import { createWebhooks } from './webhooks.ts';

export const webhooksFeature = feature({
  create: createWebhooks,
  fates: {
    webhook: {
      id: 'not personal',
      url: 'free text',
      description: 'free text',
      secret: 'not personal',
      created_by: 'name',
    },
    webhook_delivery: {
      id: 'not personal',
      webhook_id: 'not personal',
      event: 'not personal',
      body: 'rewritten',
      state: 'not personal',
    },
    webhook_attempt: { delivery_id: 'not personal', failure: 'not personal' },
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
