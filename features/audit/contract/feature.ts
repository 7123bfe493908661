export const rights = [{ right: 'AUDIT_READ', area: 'audit', roles: [] }] as const;
