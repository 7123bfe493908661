import { signInFailedPage } from '#contract/pages.ts';
import { useTranslation } from 'react-i18next';
import { SignInFailed } from '#features/identity-provider/web/sign-in-failed.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { type EntryPageProps, useSignInElsewhere, useWindowTitle } from './entry.tsx';
import { signInAt } from './way-back.ts';

/** Shows why a sign-in failed, and how to try again. */
export function SignInFailedPage({ boot, memory, chooseLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  const sent = Object.fromEntries(new URLSearchParams(window.location.search));
  const { reason, returnTo } = signInFailedPage.query.parse(sent);
  useSignInElsewhere(memory);
  useWindowTitle(t('SIGN_IN.WINDOW'));
  return (
    <EntryFrame chooseLanguage={chooseLanguage}>
      <SignInFailed reason={reason} startOver={signInAt(returnTo)} provider={boot.outsideProvider} />
    </EntryFrame>
  );
}
