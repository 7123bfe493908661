export const rights = [
  { right: 'FLAGS_READ', area: 'flags', roles: [] },
  { right: 'FLAGS_WRITE', area: 'flags', roles: [] },
] as const;

export const audit = {
  'client-key.create': 'client-key',
  'client-key.rename': 'client-key',
  'client-key.revoke': 'client-key',
  'flag.archive': 'flag',
  'flag.create': 'flag',
  'flag.delete': 'flag',
  'flag.ramp': 'flag',
  'flag.switch': 'flag',
  'flag.unarchive': 'flag',
  'flag.update': 'flag',
  'segment.create': 'segment',
  'segment.delete': 'segment',
  'segment.update': 'segment',
} as const;
