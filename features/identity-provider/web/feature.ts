import type { Feature } from '#web/feature.ts';

export const identityProviderFeature: Feature = {
  name: 'identity-provider',
  screens: [
    {
      path: '/security',
      title: 'SECURITY.TITLE',
      nav: 'none',
      icon: 'shield',
      width: 'reading',
      file: 'factors/security-screen',
      texts: ['SECURITY', 'FACTORS', 'PASSWORD', 'HOME_CHANGES'],
    },
    {
      path: '/settings/sign-in',
      title: 'SIGN_IN_POLICY.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'shield',
      description: 'SIGN_IN_POLICY.LEAD',
      width: 'reading',
      file: 'factors/policy-screen',
    },
  ],
};

export const texts = { entry: ['ACCOUNT', 'DOOR', 'INVITATION', 'SET_UP', 'SIGN_IN'] };
