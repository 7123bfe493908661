import { proofEndedPage, signInFailedPage } from '#contract/pages.ts';
import { useTranslation } from 'react-i18next';
import { ProofEnded } from '#features/identity-provider/web/factors/proof-ended.tsx';
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

/** The last page of the window in which a person signed in again at another provider. */
export function ProofEndedPage({ boot, chooseLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  const sent = Object.fromEntries(new URLSearchParams(window.location.search));
  const { outsideProvider } = boot;
  // Without another provider nothing leads here, and the address may have been typed: its query is ignored.
  const { outcome } = proofEndedPage.query.parse(outsideProvider === null ? {} : sent);
  useWindowTitle(t('SIGN_IN.WINDOW'));
  return (
    <EntryFrame chooseLanguage={chooseLanguage}>
      <ProofEnded outcome={outcome} provider={outsideProvider ?? ''} />
    </EntryFrame>
  );
}
