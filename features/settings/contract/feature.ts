export const rights = [{ right: 'SETTINGS_WRITE', area: 'settings', roles: [] }] as const;
