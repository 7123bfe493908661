import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  attention: {
    'files-store': {
      look: 'high',
      link: () => ({ to: '/settings' }),
      words: ({ since, waiting }, { part, formats, now }) => ({
        title: {},
        text: part('TEXT', { relative: formats.relative(since, now), number: formats.number(waiting) }),
      }),
    },
  },
};
