import type { NewPasskey, PasskeyAssertion } from '#features/identity-provider/contract/factors.ts';

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
export async function offersAutofill(): Promise<boolean> {
  if (!knowsPasskeys()) return false;
  const { browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser');
  return browserSupportsWebAuthnAutofill();
}

/** Tells the browser that a passkey opens nothing any more, so that it is not offered again. */
export async function forgetPasskey(rpID: string, credentialID: string): Promise<void> {
  const { sendSignal } = await import('@simplewebauthn/browser');
  // Not every browser listens.
  await sendSignal({ signalName: 'unknownCredential', rpID, credentialID }).catch(() => undefined);
}

/** What a person did or the device found, as against an answer of the server. */
export function isCeremonyError(error: unknown): boolean {
  return error instanceof Error && !('status' in error);
}
