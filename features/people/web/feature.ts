import type { Feature } from '#web/feature.ts';

export const peopleFeature: Feature = {
  name: 'people',
  screens: [
    {
      path: '/people',
      title: 'PEOPLE.TITLE',
      right: 'PEOPLE_READ',
      letter: 'p',
      nav: 'console',
      group: 'access',
      icon: 'people',
      file: 'people-screen',
      texts: ['PEOPLE', 'VIEWS'],
    },
    {
      path: '/people/$personId',
      title: 'PEOPLE.ONE',
      right: 'PEOPLE_READ',
      nav: 'none',
      file: 'person/person-screen',
      texts: ['PEOPLE', 'AUDIT', 'OWN_SESSIONS', 'REPORTS_OF_PERSON'],
    },
  ],
};
