import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    'api-token': '/settings/api-tokens?token=$id',
  },
  actions: [
    {
      name: 'TOKEN',
      icon: 'key',
      right: 'SETTINGS_WRITE',
      to: '/settings/api-tokens',
      search: { do: 'new' },
    },
  ],
};
