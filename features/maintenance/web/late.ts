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
  attention: {
    window: {
      look: 'high',
      link: ({ id }) => ({ to: '/maintenance', search: { window: id } }),
      words: ({ title, endsAt }, { part, formats, now }) => ({
        title: { title },
        text: part('TEXT', { time: formats.duration(now - endsAt) }),
      }),
    },
    'held-open': {
      look: 'medium',
      link: () => ({ to: '/maintenance' }),
      words: (_item, { part }) => ({ title: {}, text: part('TEXT') }),
    },
  },
};
