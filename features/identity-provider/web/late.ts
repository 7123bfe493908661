import type { LateFeature } from '#web/feature.ts';

export const late: LateFeature = {
  subjects: { 'sign-in-policy': '/settings/sign-in' },
};
