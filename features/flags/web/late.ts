import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: {
    flag: '/flags/$flagKey',
    segment: '/segments/$segmentId',
    'client-key': '/settings/client-keys?key=$id',
    'flag-review': '/settings/flags',
  },
  actions: [{ name: 'NEW_FLAG', icon: 'flag', right: 'FLAGS_WRITE', to: '/flags', search: { do: 'new' } }],
};
