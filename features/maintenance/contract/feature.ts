export const rights = [
  { right: 'MAINTENANCE_WRITE', area: 'maintenance', roles: [] },
  { right: 'MAINTENANCE_BYPASS', area: 'maintenance', roles: ['support'] },
] as const;

export const audit = {
  'maintenance.set': 'maintenance',
  'maintenance-window.cancel': 'maintenance-window',
  'maintenance-window.change': 'maintenance-window',
  'maintenance-window.end': 'maintenance-window',
  'maintenance-window.extend': 'maintenance-window',
  'maintenance-window.remove-text': 'maintenance-window',
  'maintenance-window.plan': 'maintenance-window',
  'maintenance-window.start': 'maintenance-window',
  'maintenance-window.warn': 'maintenance-window',
} as const;
