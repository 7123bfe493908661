export const audit = {
  'files.sweep': 'database',
} as const;
