import { submitSignIn, type SecondStep } from '#features/identity-provider/contract/identity-provider.ts';
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import type { SignInReason } from '#web/platform/sign-in-reason.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { PasswordField, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { FormProblem, inputOf, textOf } from './form-problem.tsx';
import { Message, useSending } from './sending.tsx';
import './form.css';

type SignInFormProps = {
  api: Pick<Api, 'call'>;
  /** The id of the sign-in, from the address. */
  uid: string;
  /** The address that starts a new sign-in. */
  startOver: string;
  /** Why the person is here, if there is something to explain. */
  news: SignInReason | null;
  /** Whether passkeys work at this address. */
  passkeys: boolean;
  /** The password was right, and something else is needed. */
  onSecond: (second: SecondStep) => void;
  /** Asks for a link for a new password, with the address that was typed; null: an operator is asked. */
  onForgotten: ((email: string) => void) | null;
  /** Asks for a link to register; null: people are invited. */
  onRegister: ((email: string) => void) | null;
};

/** Email and password (SES-3). A wrong email and a wrong password give the same message. */
export function SignInForm(props: SignInFormProps) {
  const { api, uid, startOver, news, passkeys, onSecond, onForgotten, onRegister } = props;
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [shownNews, setShownNews] = useState(news);
  const [missing, setMissing] = useState({ email: false, password: false });
  const form = useRef<HTMLFormElement>(null);
  const { busy, problem, send, forget } = useSending();
  const [byPasskey, setByPasskey] = useState(false);
  const wrong = isProblem(problem, 'UNAUTHENTICATED');
  // The browser's error when no passkey was chosen; no error of the server has this code.
  const noPasskey = problem?.code === 'UNKNOWN' && problem.status === 0;

  useEffect(() => {
    // On a phone the keyboard would cover half of the page before anything has been read.
    if (window.matchMedia('(pointer: fine)').matches) inputOf(form.current, 'email')?.focus();
  }, []);

  /** Few people need this code, so it is downloaded only when they do. */
  async function signInWithPasskey(autofill: boolean): Promise<{ next: string } | null> {
    const { signInByPasskeyAlone } = await import('./factors/passkey-ceremony.ts');
    const signedIn = await signInByPasskeyAlone(api, uid, autofill, () => setByPasskey(true));
    return signedIn && { next: signedIn.next + window.location.hash };
  }

  const offerPasskeys = useEffectEvent(() => {
    // The person has asked for nothing yet: errors are ignored until a passkey was chosen.
    signInWithPasskey(true).then(
      (signedIn) => signedIn && send(() => Promise.resolve(signedIn)),
      (error: unknown) => isProblem(error, 'UNAUTHENTICATED') && send(() => Promise.reject(error)),
    );
  });
  useEffect(() => {
    if (!passkeys || !('PublicKeyCredential' in window)) return undefined;
    offerPasskeys();
    // A challenge serves for five minutes, and the page may be open for longer.
    const timer = setInterval(offerPasskeys, 4 * 60_000);
    return () => clearInterval(timer);
  }, [passkeys]);

  useEffect(() => {
    if (isProblem(problem, 'UNAUTHENTICATED')) inputOf(form.current, 'password')?.select();
  }, [problem]);

  useEffect(() => {
    const first = (['email', 'password'] as const).find((name) => missing[name]);
    if (first !== undefined) inputOf(form.current, first)?.focus();
  }, [missing]);

  if (isProblem(problem, 'LINK_INVALID', 'NOT_FOUND')) {
    return (
      <Message
        title={t('SIGN_IN.EXPIRED.TITLE')}
        action={
          <LinkButton tone="primary" wide href={startOver}>
            {t('SIGN_IN.EXPIRED.ACTION')}
          </LinkButton>
        }
      >
        {t('SIGN_IN.EXPIRED.TEXT')}
      </Message>
    );
  }

  async function signIn(body: { email: string; password: string }): Promise<{ next: string } | null> {
    try {
      const { next, second } = await api.call(submitSignIn, { params: { uid }, body });
      if (second !== null) {
        onSecond(second);
        return null;
      }
      // The fragment of the address which led here: browsers keep it on the redirects back.
      return { next: next + window.location.hash };
    } catch (error) {
      // The news is replaced by the result.
      setShownNews(null);
      throw error;
    }
  }

  function submit(submitted: SubmitEvent<HTMLFormElement>): void {
    submitted.preventDefault();
    // Read from the fields: a password manager may have filled them in without an event.
    const typed = new FormData(submitted.currentTarget);
    const body = { email: textOf(typed, 'email'), password: textOf(typed, 'password') };
    const lacks = { email: body.email.trim() === '', password: body.password === '' };
    setMissing(lacks);
    setByPasskey(false);
    if (lacks.email || lacks.password) forget();
    else send(() => signIn(body));
  }

  return (
    <>
      <h1 tabIndex={-1}>{t('SIGN_IN.TITLE')}</h1>
      {/* Without its script the form must not put a password into the address. */}
      <form ref={form} className="entry-form stack gap-4" method="post" noValidate onSubmit={submit}>
        {shownNews === null ? null : (
          <Notice severity={shownNews.startsWith('session-') ? 'info' : 'ok'}>
            {t(`SIGN_IN.NEWS.${shownNews.toUpperCase().replace('-', '_')}`)}
          </Notice>
        )}
        {problem === null ? null : wrong ? (
          <Notice severity="high" role="alert">
            {t(byPasskey ? 'SIGN_IN.PASSKEY.REFUSED' : 'SIGN_IN.WRONG')}
          </Notice>
        ) : noPasskey ? (
          <Notice severity="medium" role="alert">
            {t('SIGN_IN.PASSKEY.NONE')}
          </Notice>
        ) : (
          <FormProblem problem={problem} />
        )}
        <TextField
          label={t('DOOR.EMAIL')}
          error={missing.email ? t('DOOR.ERRORS.EMAIL_REQUIRED') : null}
          required
          name="email"
          type="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          onValue={setEmail}
        />
        <PasswordField
          label={t('DOOR.PASSWORD')}
          error={missing.password ? t('DOOR.ERRORS.PASSWORD_REQUIRED') : null}
          required
          name="password"
          autoComplete="current-password"
          showLabel={t('DOOR.SHOW_PASSWORD')}
          hideLabel={t('DOOR.HIDE_PASSWORD')}
          value={password}
          onValue={setPassword}
        />
        <Button type="submit" tone="primary" wide busy={busy}>
          {t('SIGN_IN.ACTION')}
        </Button>
        {passkeys && 'PublicKeyCredential' in window ? (
          <Button icon="key" wide disabled={busy} onClick={() => send(() => signInWithPasskey(false))}>
            {t('SIGN_IN.PASSKEY.ACTION')}
          </Button>
        ) : null}
      </form>
      {onForgotten === null ? (
        <p className="muted small">{t('SIGN_IN.TROUBLE')}</p>
      ) : (
        <Button tone="quiet" wide onClick={() => onForgotten(email)}>
          {t('SIGN_IN.FORGOTTEN.LINK')}
        </Button>
      )}
      {onRegister === null ? null : (
        <Button tone="quiet" wide onClick={() => onRegister(email)}>
          {t('SIGN_IN.REGISTER.LINK')}
        </Button>
      )}
    </>
  );
}
