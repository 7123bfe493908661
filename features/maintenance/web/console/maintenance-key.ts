/** The common start of all query keys of this screen, to invalidate them together. */
export const maintenanceKey = ['maintenance'] as const;
