import { type SignInFailure, signInFailedPage } from '@portico/contract/pages';
import { login } from '@portico/contract/session';
import { useTranslation } from 'react-i18next';
import { SignInFailed } from '../features/identity-provider/sign-in-failed.tsx';
import { SignInForm } from '../features/identity-provider/sign-in-form.tsx';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { DoorFrame } from './door-frame.tsx';
import { type DoorPageProps, openDoor, useWindowTitle } from './door.tsx';

const { pathname, search } = window.location;

/** The last part of the form's address. */
const uid = pathname.split('/').at(-1) ?? '';

/** Set at the address that says why a sign-in led nowhere. */
function failure(): SignInFailure | null {
  if (pathname !== signInFailedPage.path) return null;
  return signInFailedPage.query.parse(Object.fromEntries(new URLSearchParams(search))).reason;
}

function SignInPage({ api, chooseLanguage }: DoorPageProps) {
  const { t } = useTranslation();
  const reason = failure();
  useWindowTitle(t('SIGN_IN.WINDOW'));
  return (
    <DoorFrame chooseLanguage={chooseLanguage}>
      {reason === null ? (
        <SignInForm api={api} uid={uid} startOver={login.path} />
      ) : (
        <SignInFailed reason={reason} startOver={login.path} />
      )}
    </DoorFrame>
  );
}

openDoor(
  SignInPage,
  import.meta.glob<Catalogue>('../features/identity-provider/texts/*.json', { import: 'default' }),
);
