import {
  forgotPassword,
  requestRegistration,
} from '#features/identity-provider/contract/identity-provider.ts';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import type { Language } from '#web/platform/i18n/language.ts';
import { isProblem, type ProblemError } from '#web/platform/calls/problem-error.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormProblem, inputOf, textOf } from './form-problem.tsx';
import { asProblem, Message } from './sending.tsx';
import './form.css';

type AskForLinkProps = {
  api: Pick<Api, 'call'>;
  /** What the link is for; the part of the texts that has this name. */
  wish: 'FORGOTTEN' | 'REGISTER';
  /** The address that was typed at the sign-in. */
  typed: string;
  /** Where the person was going; null: home. */
  returnTo: string | null;
  onBack: () => void;
};

/**
 * Asks for a link for a new password, or to register. The answer does not depend on whether there is such an account
 * (SES-3, SES-16).
 */
export function AskForLink({ api, wish, typed, returnTo, onBack }: AskForLinkProps) {
  const { t, i18n } = useTranslation();
  const [email, setEmail] = useState(typed);
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  const [problem, setProblem] = useState<ProblemError | null>(null);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => inputOf(form.current, 'email')?.focus(), []);

  if (sent !== null) {
    return (
      <Message
        title={t('SIGN_IN.FORGOTTEN.SENT_TITLE')}
        action={
          <Button wide onClick={onBack}>
            {t('SIGN_IN.FORGOTTEN.BACK')}
          </Button>
        }
      >
        <p>{t(`SIGN_IN.${wish}.SENT`, { email: sent })}</p>
        <p>{t('SIGN_IN.FORGOTTEN.SENT_HINT')}</p>
      </Message>
    );
  }

  function submit(submitted: SubmitEvent<HTMLFormElement>): void {
    submitted.preventDefault();
    if (busy) return;
    const wanted = textOf(new FormData(submitted.currentTarget), 'email').trim();
    setMissing(wanted === '');
    setProblem(null);
    if (wanted === '') {
      inputOf(form.current, 'email')?.focus();
      return;
    }
    setBusy(true);
    const body = { email: wanted, language: i18n.language as Language };
    const asked =
      wish === 'FORGOTTEN'
        ? api.call(forgotPassword, { body })
        : api.call(requestRegistration, { body: returnTo === null ? body : { ...body, returnTo } });
    asked.then(
      () => setSent(wanted),
      (error: unknown) => {
        setProblem(asProblem(error));
        setBusy(false);
      },
    );
  }

  const odd = isProblem(problem, 'INVALID_BODY');
  return (
    <>
      <h1 tabIndex={-1}>{t(`SIGN_IN.${wish}.TITLE`)}</h1>
      <p className="muted prose">{t(`SIGN_IN.${wish}.LEAD`)}</p>
      <form ref={form} className="entry-form stack gap-4" method="post" noValidate onSubmit={submit}>
        {problem === null || odd ? null : <FormProblem problem={problem} />}
        <TextField
          label={t('DOOR.EMAIL')}
          error={missing || odd ? t('DOOR.ERRORS.EMAIL_REQUIRED') : null}
          required
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={email}
          onValue={setEmail}
        />
        <Button type="submit" tone="primary" wide busy={busy}>
          {t('SIGN_IN.FORGOTTEN.ACTION')}
        </Button>
      </form>
      <Button tone="quiet" wide onClick={onBack}>
        {t('SIGN_IN.FORGOTTEN.BACK')}
      </Button>
    </>
  );
}
