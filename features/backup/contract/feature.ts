export const audit = {
  'backup.create': 'database',
  'backup.restore': 'database',
  'database.log-missing': 'database',
} as const;
