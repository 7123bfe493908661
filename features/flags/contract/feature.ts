export const rights = [
  { right: 'FLAGS_READ', area: 'flags', roles: [] },
  { right: 'FLAGS_WRITE', area: 'flags', roles: [] },
  { right: 'FLAGS_APPROVE', area: 'flags', roles: [] },
  { right: 'FLAGS_BYPASS', area: 'flags', roles: [] },
] as const;

export const audit = {
  'client-key.create': 'client-key',
  'client-key.rename': 'client-key',
  'client-key.revoke': 'client-key',
  'flag.approve': 'flag',
  'flag.archive': 'flag',
  'flag.create': 'flag',
  'flag.decline': 'flag',
  'flag.delete': 'flag',
  'flag.propose': 'flag',
  'flag.guard': 'flag',
  'flag.ramp': 'flag',
  'flag.switch': 'flag',
  'flag.unarchive': 'flag',
  'flag.update': 'flag',
  'flag.withdraw': 'flag',
  'flag-review.change': 'flag-review',
  'segment.create': 'segment',
  'segment.delete': 'segment',
  'segment.update': 'segment',
} as const;
