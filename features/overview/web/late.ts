import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    overview: '/console',
  },
  actions: [
    {
      name: 'FIRST_STEPS',
      icon: 'check-circle',
      right: 'SETTINGS_WRITE',
      to: '/console',
      search: { do: 'first-steps' },
    },
  ],
};
