import * as z from 'zod/mini';

/**
 * The rights that Portico itself knows, by area (RIGHT-2). Labels and descriptions are the catalogues'
 * `RIGHTS.<right>`.
 */
export const rightCatalogue = [
  { right: 'FLAGS_READ', area: 'flags' },
  { right: 'FLAGS_WRITE', area: 'flags' },
  { right: 'MAINTENANCE_WRITE', area: 'maintenance' },
  { right: 'MAINTENANCE_BYPASS', area: 'maintenance' },
  { right: 'PEOPLE_READ', area: 'people' },
  { right: 'PEOPLE_WRITE', area: 'people' },
  { right: 'REPORTS_READ', area: 'reports' },
  { right: 'REPORTS_WRITE', area: 'reports' },
  { right: 'REPORTS_DELETE', area: 'reports' },
  { right: 'DIAGNOSTICS_READ', area: 'diagnostics' },
  { right: 'DIAGNOSTICS_WRITE', area: 'diagnostics' },
  { right: 'AUDIT_READ', area: 'audit' },
  { right: 'SETTINGS_WRITE', area: 'settings' },
  { right: 'MAP_VIEW', area: 'map' },
  { right: 'MAP_WRITE', area: 'map' },
] as const;

export type Right = (typeof rightCatalogue)[number]['right'];
export const right = z.enum(rightCatalogue.map((entry) => entry.right));

/** The built-in roles (RIGHT-3). Labels are the catalogues' `ROLES.<role>`. */
export const builtInRoles = {
  operator: rightCatalogue.map((entry) => entry.right),
  support: [
    'MAINTENANCE_BYPASS',
    'PEOPLE_READ',
    'REPORTS_READ',
    'REPORTS_WRITE',
    'DIAGNOSTICS_READ',
    'DIAGNOSTICS_WRITE',
    'MAP_VIEW',
  ],
  member: ['MAP_VIEW'],
} as const satisfies Record<string, readonly Right[]>;

export type Role = keyof typeof builtInRoles;
export const role = z.enum(Object.keys(builtInRoles) as [Role, ...Role[]]);

/** Rights that begin so are added by the web for flags (RIGHT-7); they cannot be granted. */
export const reservedRightPrefix = 'FF_';
