export const rights = [
  { right: 'REPORTS_READ', area: 'reports', roles: ['support'] },
  { right: 'REPORTS_WRITE', area: 'reports', roles: ['support'] },
  { right: 'REPORTS_DELETE', area: 'reports', roles: [] },
] as const;

export const audit = {
  'report.assign': 'report',
  'report.delete': 'report',
  'report.duplicate': 'report',
  'report.edit-note': 'report',
  'report.label': 'report',
  'report.note': 'report',
  'report.remove-note': 'report',
  'report.reply': 'report',
  'report.set-form': 'report-form',
  'report.set-notices': 'report-settings',
  'report.snooze': 'report',
  'report.status': 'report',
} as const;
