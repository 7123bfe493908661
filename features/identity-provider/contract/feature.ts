export const audit = {
  'invitation.accept': 'person',
  'operator.create': 'person',
  'operator.reset': 'person',
  'password.change': 'person',
  'person.password-link': 'person',
  'set-up.claim': 'person',
  'set-up.unattended': 'person',
} as const;
