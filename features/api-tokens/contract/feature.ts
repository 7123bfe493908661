export const audit = {
  'api-token.create': 'api-token',
  'api-token.revoke': 'api-token',
} as const;
