import type { LateFeature } from '#web/feature.ts';

const link = () => ({ to: '/settings/backups' });

export const late: LateFeature = {
  subjects: { backups: '/settings/backups' },
  attention: {
    backup: {
      look: 'high',
      link,
      words: ({ since }, { part, formats, now }) => ({
        title: {},
        text: part('TEXT', { relative: formats.relative(since, now), time: formats.dateTime(since) }),
      }),
    },
    'backup-differs': {
      look: 'high',
      link,
      words: ({ at, name }, { part, formats, now }) => ({
        title: {},
        text: part('TEXT', { relative: formats.relative(at, now), name: name ?? '' }),
      }),
    },
  },
};
