import { login, returnToParameter } from '#features/session/contract/session.ts';
import { base } from '../platform/base.ts';

/** The address to which the sign-in of this page leads; null: the home screen. */
export const returnTo = new URLSearchParams(window.location.search).get(returnToParameter);

/**
 * The address that starts a sign-in which leads to `place`, or to the home screen. Browsers keep the fragment over
 * redirects, so this page still has that of the first address and passes it on.
 */
export function signInAt(place: string | null | undefined): string {
  return `${base + login.path}?returnTo=${encodeURIComponent(place ?? '')}${window.location.hash}`;
}
