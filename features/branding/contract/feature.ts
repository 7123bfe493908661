export const audit = {
  'branding.update': 'branding',
} as const;
