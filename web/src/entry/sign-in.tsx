import applicationFiles from 'virtual:application-files';
import texts from 'virtual:texts/DOOR+FACTORS+MAINTENANCE.BANNER+MAINTENANCE.PAGE+SIGN_IN';
import { proofEndedPage, signInFailedPage } from '#contract/pages.ts';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskForLink } from '#features/identity-provider/web/ask-for-link.tsx';
import type { SecondStep } from '#features/identity-provider/web/factors/second-step.tsx';
import { SignInForm } from '#features/identity-provider/web/sign-in-form.tsx';
import { readSignInReason } from '../platform/sign-in-reason.ts';
import { EntryFrame } from './entry-frame.tsx';
import { type EntryPageProps, openEntry, useSignInElsewhere, useWindowTitle } from './entry.tsx';
import { base } from '../platform/base.ts';
import { returnTo, signInAt } from './way-back.ts';

const { pathname } = window.location;

/** The last part of the form's address. */
const uid = pathname.split('/').at(-1) ?? '';

type Second = { Form: typeof SecondStep } & Pick<ComponentProps<typeof SecondStep>, 'second'>;

/** The form that requests a link, its purpose, and the email address that was typed before. */
type Asking = { Form: typeof AskForLink } & Pick<ComponentProps<typeof AskForLink>, 'wish' | 'typed'>;

function SignInPage({ boot, api, memory, chooseLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<Asking | null>(null);
  // Few people need this form, so it is downloaded on request. A newer release may have replaced the file by then.
  const askFor = (wish: Asking['wish']) => (typed: string) => {
    import('#features/identity-provider/web/ask-for-link.tsx').then(
      ({ AskForLink: Form }) => setAsking({ Form, wish, typed }),
      () => window.location.reload(),
    );
  };
  const [second, setSecond] = useState<Second | null>(null);
  const goOn = (wanted: Second['second']) => {
    import('#features/identity-provider/web/factors/second-step.tsx').then(
      ({ SecondStep: Form }) => setSecond({ Form, second: wanted }),
      () => window.location.reload(),
    );
  };
  useSignInElsewhere(memory);
  useWindowTitle(t(asking === null ? 'SIGN_IN.WINDOW' : `SIGN_IN.${asking.wish}.WINDOW`));
  return (
    <EntryFrame chooseLanguage={chooseLanguage}>
      {second !== null ? (
        <second.Form api={api} uid={uid} second={second.second} startOver={signInAt(returnTo)} />
      ) : asking === null ? (
        <SignInForm
          api={api}
          uid={uid}
          startOver={signInAt(returnTo)}
          news={readSignInReason(memory)}
          passkeys={boot.passkeys}
          onSecond={goOn}
          onForgotten={boot.passwordMail ? askFor('FORGOTTEN') : null}
          onRegister={boot.registration ? askFor('REGISTER') : null}
        />
      ) : (
        <asking.Form
          api={api}
          wish={asking.wish}
          typed={asking.typed}
          returnTo={returnTo && returnTo + window.location.hash}
          onBack={() => setAsking(null)}
        />
      )}
    </EntryFrame>
  );
}

openEntry(
  pathname === base + signInFailedPage.path
    ? import('./sign-in-ended.tsx').then(({ SignInFailedPage }) => SignInFailedPage)
    : pathname === base + proofEndedPage.path
      ? import('./sign-in-ended.tsx').then(({ ProofEndedPage }) => ProofEndedPage)
      : SignInPage,
  texts,
  { loadAbove: async () => (await import('./maintenance-above.tsx')).MaintenanceAbove },
);

// Downloads the application while the person types a password, without compiling it, which would delay their keys.
window.addEventListener('load', () => {
  for (const file of applicationFiles) {
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.href = `${base}/${file}`;
    document.head.append(link);
  }
});
