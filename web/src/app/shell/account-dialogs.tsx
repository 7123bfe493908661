import { isNothing, type SigningOut, type ToLose } from '#features/session/web/sign-out/signing-out.ts';
import type { Texts } from '../../platform/i18n/i18n.ts';
import { lazyScreen } from '../screens/lazy-screen.tsx';

export const ChangePasswordDialog = lazyScreen(
  async () =>
    (await import('#features/identity-provider/web/own-password/change-password-dialog.tsx'))
      .ChangePasswordDialog,
  'PASSWORD',
);

export const SignOutDialog = lazyScreen(
  async () => (await import('#features/session/web/sign-out/sign-out-dialog.tsx')).SignOutDialog,
  'SIGN_OUT',
);

/**
 * Returns what a sign-out would lose, for the question before it; null where nothing would be lost. Also null when
 * the dialog cannot be downloaded: the sign-out then starts without a question and reports its own failure.
 */
export async function askedBeforeSignOut(
  signingOut: Pick<SigningOut, 'find'>,
  texts: Texts,
): Promise<ToLose | null> {
  const lost = await signingOut.find();
  if (isNothing(lost)) return null;
  return SignOutDialog.preload(texts).then(
    () => lost,
    () => null,
  );
}
