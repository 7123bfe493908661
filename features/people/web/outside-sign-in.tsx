import { useTranslation } from 'react-i18next';
import { useSignInPlace } from '#web/platform/contexts.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Where people sign in at another provider: how an invited person signs in. */
export function OutsideSignIn({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice severity="ok" role="status" title={t('PEOPLE.INVITATION.AWAITED', { email })} />
      <p>{t('PEOPLE.INVITATION.AWAITED_TEXT', { provider: useSignInPlace().outsideProvider ?? '' })}</p>
    </>
  );
}
