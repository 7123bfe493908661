import { createHash, randomBytes } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { Clock } from '#server/platform/time/clock.ts';

/** What one sign-in needs to remember while the browser is at the provider. */
export type SignInState = {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** The token of the set-up link, where this sign-in makes the first operator; or null. */
  setUpToken: string | null;
  /** The session that this sign-in is to prove, instead of starting a new one; or null. */
  proves: string | null;
};

/** Seals a sign-in for its cookie, so that the browser can carry but neither read nor make it. */
export type SignInSeal = {
  seal(signIn: SignInState): Promise<string>;
  /** The sign-in of a sealed text, if it is of this `state` and not expired; otherwise null. */
  open(sealed: string, state: string): Promise<SignInState | null>;
};

/** How long a sign-in may take: as long as the embedded provider's sign-in page waits. */
export const signInSeconds = 3600;

const encryption = 'A256GCM';
const secondTry = '.again';

/** A new `state`. It holds whether this is the second try, since the cookie may not be sent back. */
export function newState(again: boolean): string {
  return `${randomBytes(16).toString('base64url')}${again ? secondTry : ''}`;
}

export function isSecondTry(state: string): boolean {
  return state.endsWith(secondTry);
}

/** Whether a text can be a `state` of ours, and so part of a cookie's name. */
export function isState(text: string | null): text is string {
  return /^[A-Za-z0-9_-]{22}(\.again)?$/.test(text ?? '');
}

/** @param secret a secret of the installation */
export function createSignInSeal(secret: string, clock: Clock): SignInSeal {
  const key = createHash('sha256').update(`sign-in ${secret}`).digest();
  return {
    seal({ state, nonce, codeVerifier, returnTo, setUpToken, proves }) {
      const now = Math.floor(clock.now() / 1000);
      return new EncryptJWT({ s: state, n: nonce, v: codeVerifier, r: returnTo, u: setUpToken, p: proves })
        .setProtectedHeader({ alg: 'dir', enc: encryption })
        .setExpirationTime(now + signInSeconds)
        .encrypt(key);
    },
    async open(sealed, state) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: [encryption],
          requiredClaims: ['exp'],
          currentDate: new Date(clock.now()),
        });
        const { s, n: nonce, v: codeVerifier, r: returnTo, u: setUpToken, p: proves } = payload;
        if (
          s !== state ||
          typeof nonce !== 'string' ||
          typeof codeVerifier !== 'string' ||
          typeof returnTo !== 'string' ||
          (typeof setUpToken !== 'string' && setUpToken !== null) ||
          (typeof proves !== 'string' && proves !== null)
        )
          return null;
        return { state, nonce, codeVerifier, returnTo, setUpToken, proves };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
