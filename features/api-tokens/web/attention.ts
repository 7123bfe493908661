import type { AttentionLines } from '#features/overview/web/attention-lines.ts';

export const attention: AttentionLines = {
  tokens: {
    look: 'medium',
    link: ({ id, count }) => ({
      to: '/settings/api-tokens',
      ...(count === 1 ? { search: { token: id } } : {}),
    }),
    words: ({ count, names, expiresAt }, { part, formats, now, named }) => ({
      title: { count, number: formats.number(count), name: names[0] },
      text: part('TEXT', {
        names: named(names, count),
        relative: formats.relative(expiresAt, now),
        time: formats.dateTime(expiresAt),
      }),
    }),
  },
};
