import type { AttentionLines } from '#features/overview/web/attention-lines.ts';

export const attention: AttentionLines = {
  'flag-proposals': {
    look: 'info',
    link: ({ count, names: [name] }) => ({
      to: count === 1 && name !== undefined ? `/flags/${encodeURIComponent(name)}` : '/flags',
    }),
    words: ({ count, names, since }, { part, formats, named }) => ({
      title: { count, number: formats.number(count), name: names[0] },
      text: part('TEXT', { names: named(names, count), date: formats.date(since) }),
    }),
  },
  'stale-flags': {
    look: 'info',
    link: ({ count, names: [name] }) => ({
      to: count === 1 && name !== undefined ? `/flags/${encodeURIComponent(name)}` : '/flags',
    }),
    words: ({ count, names, since, value, safe }, { part, formats, named }) => ({
      title: { count, number: formats.number(count), name: names[0] },
      text: part(`${count === 1 ? 'ONE' : 'MANY'}${safe === 0 ? '' : '_SAFE'}`, {
        names: named(names, count),
        value: String(value),
        date: formats.date(since),
        safe: formats.number(safe),
      }),
    }),
  },
};
