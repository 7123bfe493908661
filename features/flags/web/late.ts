import type { LateFeature } from '#web/feature.ts';

const toFlag = ({ count, names: [name] }: { count: number; names: readonly string[] }) => ({
  to: count === 1 && name !== undefined ? `/flags/${encodeURIComponent(name)}` : '/flags',
});

export const late: LateFeature = {
  subjects: {
    flag: '/flags/$flagKey',
    segment: '/segments/$segmentId',
    'client-key': '/settings/client-keys?key=$id',
    'flag-review': '/settings/flags',
  },
  actions: [{ name: 'NEW_FLAG', icon: 'flag', right: 'FLAGS_WRITE', to: '/flags', search: { do: 'new' } }],
  attention: {
    'flag-proposals': {
      look: 'info',
      link: toFlag,
      words: ({ count, names, since }, { part, formats, named }) => ({
        title: { count, number: formats.number(count), name: names[0] },
        text: part('TEXT', { names: named(names, count), date: formats.date(since) }),
      }),
    },
    'held-ramps': {
      look: 'high',
      link: toFlag,
      words: ({ count, names }, { part, formats, named }) => ({
        title: { count, number: formats.number(count), name: names[0] },
        text: part('TEXT', { names: named(names, count) }),
      }),
    },
    'stale-flags': {
      look: 'info',
      link: toFlag,
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
  },
};
