import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    webhook: '/webhooks?webhook=$id',
  },
  actions: [
    { name: 'WEBHOOK', icon: 'external', right: 'SETTINGS_WRITE', to: '/webhooks', search: { do: 'new' } },
  ],
};
