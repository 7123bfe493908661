import type { AttentionLines } from '#features/overview/web/attention-lines.ts';

export const attention: AttentionLines = {
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
};
