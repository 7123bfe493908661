import { type SignInFailure, signInFailedPage } from '@portico/contract/pages';
import { login } from '@portico/contract/session';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SignInFailed } from '../features/identity-provider/sign-in-failed.tsx';
import { ForgottenPassword } from '../features/identity-provider/forgotten-password.tsx';
import { SignInForm } from '../features/identity-provider/sign-in-form.tsx';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { readReturnAddress, readSignInReason } from '../platform/sign-in-reason.ts';
import { EntryFrame } from './entry-frame.tsx';
import { type EntryPageProps, openEntry, useWindowTitle } from './entry.tsx';
import { base } from '../platform/base.ts';

const { pathname, search } = window.location;

/** The last part of the form's address. */
const uid = pathname.split('/').at(-1) ?? '';

/** Why a sign-in failed, if this page is shown for that, and the address that starts the next one. */
function failure(): { reason: SignInFailure; startOver: string } | null {
  if (pathname !== base + signInFailedPage.path) return null;
  const { reason, returnTo } = signInFailedPage.query.parse(Object.fromEntries(new URLSearchParams(search)));
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return { reason, startOver: `${base}${login.path}${query}` };
}

/**
 * A person who has signed in through another tab need not do it again here: the page goes on to where this
 * tab was.
 */
function SignInPage({ boot, api, memory, chooseLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  const failed = failure();
  // The address that was typed before the person asked for a new password.
  const [forgotten, setForgotten] = useState<string | null>(null);
  useEffect(() => {
    const others = new BroadcastChannel(`portico${base}:session`);
    others.addEventListener('message', ({ data }: MessageEvent<{ type?: unknown } | null>) => {
      if (data?.type === 'token') window.location.replace(readReturnAddress(memory));
    });
    return () => others.close();
  }, [memory]);
  useWindowTitle(t(forgotten === null ? 'SIGN_IN.WINDOW' : 'SIGN_IN.FORGOTTEN.WINDOW'));
  return (
    <EntryFrame chooseLanguage={chooseLanguage}>
      {failed === null ? (
        forgotten === null ? (
          <SignInForm
            api={api}
            uid={uid}
            startOver={base + login.path}
            news={readSignInReason(memory)}
            onForgotten={boot.passwordMail ? setForgotten : null}
          />
        ) : (
          <ForgottenPassword api={api} typed={forgotten} onBack={() => setForgotten(null)} />
        )
      ) : (
        <SignInFailed {...failed} provider={boot.outsideProvider} />
      )}
    </EntryFrame>
  );
}

openEntry(
  SignInPage,
  import.meta.glob<Catalogue>('../features/identity-provider/texts/*.json', { import: 'default' }),
);
