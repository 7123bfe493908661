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

/** Set at the address that says why a sign-in led nowhere; with the way to the next one. */
function failure(): { reason: SignInFailure; startOver: string } | null {
  if (pathname !== signInFailedPage.path) return null;
  const { reason, returnTo } = signInFailedPage.query.parse(Object.fromEntries(new URLSearchParams(search)));
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return { reason, startOver: `${login.path}${query}` };
}

function SignInPage({ api, chooseLanguage }: DoorPageProps) {
  const { t } = useTranslation();
  const failed = failure();
  useWindowTitle(t('SIGN_IN.WINDOW'));
  return (
    <DoorFrame chooseLanguage={chooseLanguage}>
      {failed === null ? (
        <SignInForm api={api} uid={uid} startOver={login.path} />
      ) : (
        <SignInFailed {...failed} />
      )}
    </DoorFrame>
  );
}

openDoor(
  SignInPage,
  import.meta.glob<Catalogue>('../features/identity-provider/texts/*.json', { import: 'default' }),
);
