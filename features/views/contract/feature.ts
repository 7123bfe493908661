export const audit = {
  // Actions that earlier releases recorded, when only the list of reports had views.
  'report-filter.create': 'view',
  'report-filter.delete': 'view',
  'report-filter.update': 'view',
  'view.create': 'view',
  'view.delete': 'view',
  'view.update': 'view',
} as const;
