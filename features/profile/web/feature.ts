import type { Feature } from '#web/feature.ts';

export const profileFeature: Feature = {
  name: 'profile',
  screens: [
    {
      path: '/profile',
      title: 'PROFILE.TITLE',
      letter: 'u',
      nav: 'none',
      icon: 'person',
      width: 'reading',
      file: 'member/profile-screen',
      texts: ['PROFILE', 'OWN_ACCESS', 'RIGHTS', 'ERASURE', 'NOTICES', 'ZONES', 'EDITING'],
    },
  ],
};
