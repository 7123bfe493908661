import type { AttentionLines } from '#features/overview/web/attention-lines.ts';

export const attention: AttentionLines = {
  reports: {
    look: 'info',
    link: ({ id, count }) => ({ to: '/reports', search: count === 1 ? { report: id } : { status: 'new' } }),
    words: ({ count, excerpt, at }, { part, formats, now }) => ({
      title: { count, number: formats.number(count) },
      text: part('TEXT', { excerpt, relative: formats.relative(at, now) }),
    }),
  },
};
