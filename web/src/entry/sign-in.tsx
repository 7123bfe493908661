import { signInFailedPage } from '@portico/contract/pages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ForgottenPassword } from '../features/identity-provider/forgotten-password.tsx';
import { SignInForm } from '../features/identity-provider/sign-in-form.tsx';
import type { Catalogue } from '../platform/i18n/i18n.ts';
import { readSignInReason } from '../platform/sign-in-reason.ts';
import { EntryFrame } from './entry-frame.tsx';
import { type EntryPageProps, openEntry, useSignInElsewhere, useWindowTitle } from './entry.tsx';
import { base } from '../platform/base.ts';
import { returnTo, signInAt } from './way-back.ts';

const { pathname } = window.location;

/** The last part of the form's address. */
const uid = pathname.split('/').at(-1) ?? '';

function SignInPage({ boot, api, memory, chooseLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  // The address that was typed before the person asked for a new password.
  const [forgotten, setForgotten] = useState<string | null>(null);
  useSignInElsewhere(memory);
  useWindowTitle(t(forgotten === null ? 'SIGN_IN.WINDOW' : 'SIGN_IN.FORGOTTEN.WINDOW'));
  return (
    <EntryFrame chooseLanguage={chooseLanguage}>
      {forgotten === null ? (
        <SignInForm
          api={api}
          uid={uid}
          startOver={signInAt(returnTo)}
          news={readSignInReason(memory)}
          onForgotten={boot.passwordMail ? setForgotten : null}
        />
      ) : (
        <ForgottenPassword api={api} typed={forgotten} onBack={() => setForgotten(null)} />
      )}
    </EntryFrame>
  );
}

openEntry(
  pathname === base + signInFailedPage.path
    ? import('./sign-in-failed.tsx').then(({ SignInFailedPage }) => SignInFailedPage)
    : SignInPage,
  import.meta.glob<Catalogue>('../features/{identity-provider,maintenance}/texts/*.json', {
    import: 'default',
  }),
  { loadAbove: async () => (await import('./maintenance-above.tsx')).MaintenanceAbove },
);
