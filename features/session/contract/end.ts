import * as z from 'zod/mini';

/**
 * Why a session is over. `idle` and `lifetime`: by itself. `signed-out`: by the person, in that browser.
 * `elsewhere`: by the person, from another browser. `provider`: by the provider where they sign in. `ended`:
 * nothing more is known.
 */
export const sessionEnd = z.enum([
  'ended',
  'idle',
  'lifetime',
  'signed-out',
  'elsewhere',
  'password',
  'provider',
  'operator',
  'blocked',
  'erased',
]);
export type SessionEnd = z.infer<typeof sessionEnd>;
