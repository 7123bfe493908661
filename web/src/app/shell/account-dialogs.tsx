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
 * What the person is asked about before the sign-out; null where nothing would be lost. Also null when the
 * dialog cannot be downloaded: the sign-out then starts all the same and reports its failure.
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
