import { passkeyOptionsAtSignIn, signInByPasskey } from '#features/identity-provider/contract/factors.ts';
import type { Api } from '#web/platform/calls/call.ts';
import { offersAutofill, askPasskey } from './passkey-ceremony.ts';

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
