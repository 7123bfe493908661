export const audit = {
  'person.await-relink': 'person',
  'person.follow-email': 'person',
  'person.follow-groups': 'person',
  'person.relink': 'person',
} as const;
