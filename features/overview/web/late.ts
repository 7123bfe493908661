import type { LateFeature } from '#web/feature.ts';

const mailPlaces = { reports: '/settings/reports', errors: '/settings/diagnostics', people: '/people' };

export const late: LateFeature = {
  subjects: {
    overview: '/console',
  },
  actions: [
    {
      name: 'FIRST_STEPS',
      icon: 'check-circle',
      right: 'SETTINGS_WRITE',
      to: '/console',
      search: { do: 'first-steps' },
    },
  ],
  // What several features have in common.
  attention: {
    mail: {
      look: 'high',
      link: ({ about, personId }) => ({ to: personId === null ? mailPlaces[about] : `/people/${personId}` }),
      words({ about, personId, count, givenUp, since }, { part, formats: { number, relative }, now }) {
        const facts = { relative: relative(since, now), count: givenUp, number: number(givenUp) };
        return {
          title: { count, number: number(count) },
          text: part(givenUp === 0 ? 'TRIED_AGAIN' : 'GIVEN_UP', facts),
          action: part(personId === null ? about.toUpperCase() : 'PERSON'),
        };
      },
    },
    refused: {
      look: 'medium',
      link: ({ ways }) => ({ to: ways.includes('reports') ? '/reports' : '/diagnostics' }),
      words: ({ ways, at }, { part, formats, now }) => ({
        title: {},
        text: part('TEXT', {
          ways: formats.list(ways.map((way) => part(way.toUpperCase()))),
          relative: formats.relative(at, now),
        }),
      }),
    },
  },
};
