import {
  type NewPasskey,
  type PasskeyAssertion,
  passkeyOptionsAtSignIn,
  signInByPasskey,
} from '#features/identity-provider/contract/factors.ts';
import type { Api } from '#web/platform/calls/call.ts';

/** Whether this browser can make and use passkeys. */
export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in window && window.isSecureContext;

// Each call of the library ends the one before it, since a browser answers one at a time. Its types are those of
// WebAuthn, which the contract has as schemas.

/** Has the person choose a passkey. Rejects where they do not. */
export async function askPasskey(options: unknown, autofill = false): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const given = { optionsJSON: options as never, useBrowserAutofill: autofill };
  return (await startAuthentication(given)) as unknown as PasskeyAssertion;
}

/** Has the person make a passkey. Rejects where they do not. */
export async function makePasskey(options: unknown): Promise<NewPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return (await startRegistration({ optionsJSON: options as never })) as unknown as NewPasskey;
}

/** Whether the browser lists passkeys where an address is typed. */
async function offersAutofill(): Promise<boolean> {
  if (!knowsPasskeys()) return false;
  const { browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser');
  return browserSupportsWebAuthnAutofill();
}

/**
 * Signs in with a passkey alone: it needs the person's finger, face or PIN, and so is two factors in one (SES-10).
 *
 * @param autofill whether the browser lists passkeys where the address is typed, until one is chosen
 * @returns where the browser goes next; null where the browser lists none
 */
export async function signInByPasskeyAlone(
  api: Pick<Api, 'call'>,
  uid: string,
  autofill: boolean,
  onChosen: () => void,
): Promise<{ next: string } | null> {
  if (autofill && !(await offersAutofill())) return null;
  const params = { uid };
  const { options } = await api.call(passkeyOptionsAtSignIn, { params, body: { step: null } });
  const answer = await askPasskey(options, autofill);
  onChosen();
  return api.call(signInByPasskey, { params, body: { step: null, answer, remember: false } });
}

/** Tells the browser that a passkey opens nothing any more, so that it is not offered again. */
export async function forgetPasskey(rpID: string, credentialID: string): Promise<void> {
  const { sendSignal } = await import('@simplewebauthn/browser');
  // Not every browser listens.
  await sendSignal({ signalName: 'unknownCredential', rpID, credentialID }).catch(() => undefined);
}

/** Whether an error comes from the person or the device, not from an answer of the server. */
export function isCeremonyError(error: unknown): boolean {
  return error instanceof Error && !('status' in error);
}
