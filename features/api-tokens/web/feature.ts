import type { Feature } from '#web/feature.ts';

export const apiTokensFeature: Feature = {
  name: 'api-tokens',
  screens: [
    {
      path: '/settings/api-tokens',
      title: 'API_TOKENS.TITLE',
      right: 'SETTINGS_WRITE',
      nav: 'settings',
      icon: 'key',
      description: 'API_TOKENS.LEAD',
      file: 'api-tokens-screen',
      texts: ['API_TOKENS', 'RIGHTS', 'VIEWS'],
    },
  ],
};
