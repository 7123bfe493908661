export const rights = [
  { right: 'PEOPLE_READ', area: 'people', roles: ['support'] },
  { right: 'PEOPLE_WRITE', area: 'people', roles: [] },
] as const;

export const audit = {
  'person.block': 'person',
  'person.invite': 'person',
  'person.renew-invitation': 'person',
  'person.set-roles': 'person',
  'person.unblock': 'person',
} as const;
