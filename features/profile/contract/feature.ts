export const audit = {
  'profile.update': 'person',
} as const;
