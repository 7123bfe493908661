export const audit = {
  'first-steps.hide': 'overview',
  'first-steps.show': 'overview',
} as const;
