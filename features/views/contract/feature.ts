export const audit = {
  // As earlier releases recorded them, which had views of the reports alone.
  'report-filter.create': 'view',
  'report-filter.delete': 'view',
  'report-filter.update': 'view',
  'view.create': 'view',
  'view.delete': 'view',
  'view.update': 'view',
} as const;
