import type { Feature } from '#web/feature.ts';

export const erasureFeature: Feature = {
  name: 'erasure',
  screens: [
    {
      path: '/people/$personId/data',
      title: 'PAGES.PERSON_DATA',
      right: 'PEOPLE_WRITE',
      nav: 'none',
      width: 'reading',
      file: 'person-data-screen',
      texts: 'ERASURE',
    },
  ],
};
