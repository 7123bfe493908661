import { login } from '@portico/contract/session';
import { useTranslation } from 'react-i18next';
import { SignInForm } from '../features/identity-provider/sign-in-form.tsx';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { DoorFrame } from './door-frame.tsx';
import { type DoorPageProps, openDoor, useWindowTitle } from './door.tsx';

function SignInPage({ api, chooseLanguage }: DoorPageProps) {
  const { t } = useTranslation();
  useWindowTitle(t('SIGN_IN.WINDOW'));
  return (
    <DoorFrame chooseLanguage={chooseLanguage}>
      <SignInForm api={api} uid={window.location.pathname.split('/').at(-1) ?? ''} startOver={login.path} />
    </DoorFrame>
  );
}

openDoor(
  SignInPage,
  import.meta.glob<Catalogue>('../features/identity-provider/texts/*.json', { import: 'default' }),
);
