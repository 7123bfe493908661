export const audit = {
  'person.end-session': 'person',
  'person.sign-out': 'person',
  'signing-keys.rotate': 'signing-keys',
} as const;
