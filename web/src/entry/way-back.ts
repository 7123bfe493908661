import { login, returnToParameter } from '#features/session/contract/session.ts';
import { base } from '../platform/base.ts';

/** Where the sign-in of this page leads to; null: home. */
export const returnTo = new URLSearchParams(window.location.search).get(returnToParameter);

/**
 * The address that starts a sign-in which leads to `place`, or home. Browsers keep the fragment of the address that
 * led here on redirects, and pages have to pass it on.
 */
export function signInAt(place: string | null | undefined): string {
  return `${base + login.path}?returnTo=${encodeURIComponent(place ?? '')}${window.location.hash}`;
}
