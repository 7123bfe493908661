import { newPassword, submitSignIn } from '#features/identity-provider/contract/identity-provider.ts';
import { emailAddress } from '#contract/email-address.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { type ReactNode, type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import { storeSignInReason } from '#web/platform/sign-in-reason.ts';
import type { TabMemory } from '#web/platform/tabs/tab-memory.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField, TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { FormProblem, inputOf, textOf } from '../form-problem.tsx';
import { useSending } from '../sending.tsx';
import '../form.css';

export type Account = { email: string; firstName: string; lastName: string; password: string };

type AccountFormProps = {
  api: Pick<Api, 'call'>;
  title: string;
  lead: string;
  /** Where news for the sign-in page is stored. */
  memory: TabMemory;
  known: Omit<Account, 'password'>;
  /** The address cannot be changed: the link belongs to it. */
  emailFixed?: boolean;
  /** Asks for a password alone. */
  passwordAlone?: boolean;
  action: string;
  submit: (account: Account) => Promise<{ next: string }>;
  /** Replaces the form after this problem; null: the form stays. */
  instead: (problem: ProblemError) => ReactNode;
};

/**
 * Signs in with what was just typed, so that nothing is typed twice (CON-5); null where the page of the sign-in
 * has to ask.
 *
 * @param signIn the address of the sign-in, which leads to the form with the id of this sign-in
 */
async function signInAtOnce(
  api: Pick<Api, 'call'>,
  signIn: string,
  { email, password }: Account,
): Promise<{ next: string } | null> {
  try {
    const form = await fetch(signIn, { headers: { accept: 'text/html' } });
    const uid = new URL(form.url).pathname.split('/').at(-1) ?? '';
    const { next, second } = await api.call(submitSignIn, { params: { uid }, body: { email, password } });
    return second === null ? { next } : null;
  } catch {
    return null;
  }
}

/** The account and its first password, for the pages of single-use links. */
export function AccountForm({
  api,
  title,
  lead,
  memory,
  known,
  emailFixed = false,
  passwordAlone = false,
  action,
  submit,
  instead,
}: AccountFormProps) {
  const { t } = useTranslation();
  const [account, setAccount] = useState<Account>({ ...known, password: '' });
  const [own, setOwn] = useState<AccountErrors>({});
  const { busy, problem, send, forget } = useSending();
  const form = useRef<HTMLFormElement>(null);
  const refused = useMemo(() => (problem === null ? null : accountErrors(problem)), [problem]);
  const errors = useMemo(() => ({ ...refused, ...own }), [refused, own]);

  useEffect(() => {
    const first = accountFields.find((name) => errors[name] !== undefined);
    if (first !== undefined) inputOf(form.current, first)?.focus();
  }, [errors]);

  const other = problem === null ? null : instead(problem);
  if (other !== null) return other;

  function onSubmit(submitted: SubmitEvent<HTMLFormElement>): void {
    submitted.preventDefault();
    // Read from the fields: a password manager may have filled them in without an event.
    const typed = new FormData(submitted.currentTarget);
    const filled: Account = {
      email: textOf(typed, 'email'),
      firstName: passwordAlone ? known.firstName : textOf(typed, 'firstName'),
      lastName: passwordAlone ? known.lastName : textOf(typed, 'lastName'),
      password: textOf(typed, 'password'),
    };
    const wrong = mistakes(filled);
    setOwn(wrong);
    if (Object.keys(wrong).length === 0) send(() => make(filled));
    else forget();
  }

  async function make(filled: Account): Promise<{ next: string }> {
    const { next } = await submit(filled);
    const signedIn = passwordAlone ? null : await signInAtOnce(api, next, filled);
    if (signedIn === null) storeSignInReason(memory, passwordAlone ? 'password-set' : 'account-made');
    return signedIn ?? { next };
  }

  const field = (name: keyof Account) => ({
    name,
    value: account[name],
    onValue: (value: string) => setAccount((before) => ({ ...before, [name]: value })),
  });
  const text = (key: string | undefined) => (key === undefined ? null : t(key));

  return (
    <form ref={form} className="entry-form stack gap-4" method="post" noValidate onSubmit={onSubmit}>
      <h1 tabIndex={-1}>{title}</h1>
      <p className="muted prose">{lead}</p>
      {problem === null || refused !== null ? null : <FormProblem problem={problem} />}
      <TextField
        label={t('DOOR.EMAIL')}
        hint={emailFixed ? undefined : t('ACCOUNT.EMAIL_HINT')}
        error={text(errors.email)}
        required={!emailFixed}
        requiredMark={t('ACCOUNT.REQUIRED')}
        {...field('email')}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={emailFixed}
      />
      {passwordAlone ? null : (
        <div className="entry-pair grid gap-4">
          <TextField
            label={t('ACCOUNT.FIRST_NAME')}
            error={text(errors.firstName)}
            {...field('firstName')}
            autoComplete="given-name"
          />
          <TextField
            label={t('ACCOUNT.LAST_NAME')}
            error={text(errors.lastName)}
            {...field('lastName')}
            autoComplete="family-name"
          />
        </div>
      )}
      <NewPasswordField {...field('password')} error={text(errors.password)} />
      <Button type="submit" tone="primary" wide busy={busy}>
        {action}
      </Button>
    </form>
  );
}

/** Checks that need no server. */
function mistakes(account: Account): AccountErrors {
  const found: AccountErrors = {};
  if (!emailAddress.safeParse(account.email).success) found.email = 'ACCOUNT.ERRORS.EMAIL_FORMAT';
  const password = newPassword.safeParse(account.password);
  if (!password.success) {
    const long = password.error.issues.some(({ code }) => code === 'too_big');
    found.password = long ? 'ACCOUNT.ERRORS.PASSWORD_LONG' : 'ACCOUNT.ERRORS.PASSWORD_SHORT';
  }
  return found;
}

type NewPasswordFieldProps = {
  name: string;
  value: string;
  onValue: (value: string) => void;
  error: string | null;
};

/** A password that is being chosen: shows while it is typed whether it is long enough. */
function NewPasswordField({ name, value, onValue, error }: NewPasswordFieldProps) {
  const { t } = useTranslation();
  const enough = newPassword.safeParse(value).success;
  return (
    <PasswordField
      label={t('DOOR.PASSWORD')}
      hint={
        <>
          {t('ACCOUNT.PASSWORD_HINT')}
          <span className={enough ? 'row gap-1 entry-count-enough' : 'row gap-1'}>
            {enough ? <Icon name="check" size={12} /> : null}
            {enough ? t('ACCOUNT.PASSWORD_ENOUGH') : t('ACCOUNT.PASSWORD_COUNT', { count: value.length })}
          </span>
        </>
      }
      error={error}
      required
      requiredMark={t('ACCOUNT.REQUIRED')}
      name={name}
      autoComplete="new-password"
      showLabel={t('DOOR.SHOW_PASSWORD')}
      hideLabel={t('DOOR.HIDE_PASSWORD')}
      value={value}
      onValue={onValue}
    />
  );
}

const accountFields = ['email', 'firstName', 'lastName', 'password'] as const;
type AccountField = (typeof accountFields)[number];

/** Text keys for problems, by field. */
type AccountErrors = Partial<Record<AccountField, string>>;

/** The problems of fields of the form; null if the problem concerns anything else. */
export function accountErrors(problem: ProblemError): AccountErrors | null {
  if (problem.errors.length === 0) return null;
  const found: AccountErrors = {};
  for (const error of problem.errors) {
    const field = accountFields.find((name) => error.pointer === `/${name}`);
    if (field === undefined) return null;
    found[field] ??= textKey(field, error);
  }
  return found;
}

/** The link itself is refused: used, expired, or malformed. */
export function refusesLink(problem: ProblemError): boolean {
  return problem.code === 'LINK_INVALID' || problem.errors.some(({ pointer }) => pointer === '/token');
}

function textKey(field: AccountField, { code }: FieldProblem): string {
  switch (field) {
    case 'email':
      return code === 'taken' ? 'ACCOUNT.ERRORS.EMAIL_TAKEN' : 'ACCOUNT.ERRORS.EMAIL_FORMAT';
    case 'password':
      if (code === 'common') return 'ACCOUNT.ERRORS.PASSWORD_COMMON';
      return code === 'too_big' ? 'ACCOUNT.ERRORS.PASSWORD_LONG' : 'ACCOUNT.ERRORS.PASSWORD_SHORT';
    case 'firstName':
    case 'lastName':
      return 'ACCOUNT.ERRORS.NAME';
  }
}
