import type { AttentionLines } from '#features/overview/web/attention-lines.ts';

export const attention: AttentionLines = {
  'files-store': {
    look: 'high',
    link: () => ({ to: '/settings' }),
    words: ({ since, waiting }, { part, formats, now }) => ({
      title: {},
      text: part('TEXT', { relative: formats.relative(since, now), number: formats.number(waiting) }),
    }),
  },
};
