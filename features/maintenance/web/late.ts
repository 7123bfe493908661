import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    maintenance: '/maintenance',
    'maintenance-window': '/maintenance?window=$id',
  },
  actions: [
    { name: 'PLAN', icon: 'wrench', right: 'MAINTENANCE_WRITE', to: '/maintenance', search: { plan: 'new' } },
    {
      name: 'NOTICE',
      icon: 'warning',
      right: 'MAINTENANCE_WRITE',
      to: '/maintenance',
      search: { do: 'notice' },
    },
    {
      name: 'START',
      icon: 'wrench',
      right: 'MAINTENANCE_WRITE',
      to: '/maintenance',
      search: { do: 'start' },
    },
  ],
};
