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
  attention: {
    tokens: {
      look: 'medium',
      link: ({ id, count }) => ({
        to: '/settings/api-tokens',
        ...(count === 1 ? { search: { token: id } } : {}),
      }),
      words: ({ count, names, expiresAt }, { part, formats, now, named }) => ({
        title: { count, number: formats.number(count), name: names[0] },
        text: part('TEXT', {
          count,
          names: named(names, count),
          relative: formats.relative(expiresAt, now),
          time: formats.dateTime(expiresAt),
        }),
      }),
    },
  },
};
