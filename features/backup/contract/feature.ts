export const audit = {
  'backup.create': 'database',
  'backup.restore': 'database',
  'backup.start': 'database',
  'backup.update': 'backups',
  'backup.verify': 'database',
  'database.log-missing': 'database',
} as const;
