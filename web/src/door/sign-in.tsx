import { type SignInFailure, signInFailedPage } from '@portico/contract/pages';
import { login } from '@portico/contract/session';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SignInFailed } from '../features/identity-provider/sign-in-failed.tsx';
import { ForgottenPassword } from '../features/identity-provider/forgotten-password.tsx';
import { SignInForm } from '../features/identity-provider/sign-in-form.tsx';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { readSignInNews } from '../platform/sign-in-news.ts';
import { DoorFrame } from './door-frame.tsx';
import { type DoorPageProps, openDoor, useWindowTitle } from './door.tsx';

const { pathname, search } = window.location;

/** The last part of the form's address. */
const uid = pathname.split('/').at(-1) ?? '';

/** Set at the address that says why a sign-in led nowhere; with the way to the next one. */
function failure(): { reason: SignInFailure; startOver: string } | null {
  if (pathname !== signInFailedPage.path) return null;
  const { reason, returnTo } = signInFailedPage.query.parse(Object.fromEntries(new URLSearchParams(search)));
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return { reason, startOver: `${login.path}${query}` };
}

function SignInPage({ boot, api, memory, chooseLanguage }: DoorPageProps) {
  const { t } = useTranslation();
  const failed = failure();
  // The address that was typed before the password turned out to be forgotten.
  const [forgotten, setForgotten] = useState<string | null>(null);
  useWindowTitle(t(forgotten === null ? 'SIGN_IN.WINDOW' : 'SIGN_IN.FORGOTTEN.WINDOW'));
  return (
    <DoorFrame chooseLanguage={chooseLanguage}>
      {failed === null ? (
        forgotten === null ? (
          <SignInForm
            api={api}
            uid={uid}
            startOver={login.path}
            news={readSignInNews(memory)}
            onForgotten={boot.passwordMail ? setForgotten : null}
          />
        ) : (
          <ForgottenPassword api={api} typed={forgotten} onBack={() => setForgotten(null)} />
        )
      ) : (
        <SignInFailed {...failed} provider={boot.outsideProvider} />
      )}
    </DoorFrame>
  );
}

openDoor(
  SignInPage,
  import.meta.glob<Catalogue>('../features/identity-provider/texts/*.json', { import: 'default' }),
);
