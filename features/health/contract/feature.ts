export const audit = { 'log.level': 'log' } as const;
