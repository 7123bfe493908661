export const audit = {
  'files.move': 'database',
  'files.sweep': 'database',
} as const;
