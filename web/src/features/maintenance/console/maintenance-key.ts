/** Above the keys of all that this screen shows: to be marked as outdated when anything about maintenance changes. */
export const maintenanceKey = ['maintenance'] as const;
