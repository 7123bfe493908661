import type * as z from 'zod/mini';
import type { createFlag } from '#features/flags/contract/flags.ts';

type NewFlag = z.input<typeof createFlag.body>;

/** The body that creates a flag which is on and true for everyone. */
export const newFlag = (key: string, change: Partial<NewFlag> = {}): NewFlag => ({
  key,
  type: 'boolean',
  description: '',
  defaultValue: true,
  enabled: true,
  rules: [],
  tags: [],
  ...change,
});
