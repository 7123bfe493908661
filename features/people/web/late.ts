import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    person: '/people/$personId',
  },
  actions: [
    { name: 'INVITE', icon: 'person', right: 'PEOPLE_WRITE', to: '/people', search: { do: 'invite' } },
  ],
};
