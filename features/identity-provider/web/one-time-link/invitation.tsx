import { acceptInvitation, readInvitation } from '#features/identity-provider/contract/identity-provider.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import type { TabMemory } from '#web/platform/tabs/tab-memory.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { FormProblem } from '../form-problem.tsx';
import { asProblem, Message } from '../sending.tsx';
import { type Account, AccountForm, refusesLink } from './account-form.tsx';

type InvitationProps = {
  api: Pick<Api, 'call'>;
  memory: TabMemory;
  /** The token of the link; null: the address has none. */
  token: string | null;
  /** The address that starts a sign-in, which leads to where the person was going. */
  signIn: string;
};

/** Where a person with an invitation, or with a link for a new password, chooses it (SES-3). */
export function Invitation({ api, memory, token, signIn }: InvitationProps) {
  const { t } = useTranslation();
  const [attempt, setAttempt] = useState(1);
  if (token === null) {
    return <Message title={t('INVITATION.MISSING.TITLE')}>{t('INVITATION.MISSING.TEXT')}</Message>;
  }
  return (
    <OpenInvitation
      key={`${attempt} ${token}`}
      api={api}
      memory={memory}
      token={token}
      signIn={signIn}
      onRetry={() => setAttempt(attempt + 1)}
    />
  );
}

type Known = Omit<Account, 'password'> & { hasPassword: boolean; denies: boolean };
type OpenInvitationProps = InvitationProps & { token: string; onRetry: () => void };

function OpenInvitation({ api, memory, token, signIn, onRetry }: OpenInvitationProps) {
  const { t } = useTranslation();
  const [known, setKnown] = useState<Known | null>(null);
  const [problem, setProblem] = useState<ProblemError | null>(null);

  useEffect(() => {
    const control = new AbortController();
    api
      .call(readInvitation, { body: { token } }, { signal: control.signal })
      .then(setKnown, (error: unknown) => {
        if (!control.signal.aborted) setProblem(asProblem(error));
      });
    return () => control.abort();
  }, [api, token]);

  if (problem !== null) {
    if (refusesLink(problem)) return <LinkRefused signIn={signIn} />;
    return (
      <>
        <h1>{t('INVITATION.TITLE')}</h1>
        <FormProblem problem={problem}>{t('INVITATION.UNOPENED')}</FormProblem>
        <Button wide icon="refresh" onClick={onRetry}>
          {t('ACCOUNT.RETRY')}
        </Button>
      </>
    );
  }
  if (known === null) return <Spinner label={t('INVITATION.LOADING')} />;

  const { hasPassword, denies, ...account } = known;
  const again = `INVITATION.${denies ? 'NOT_ME' : 'AGAIN'}`;
  const greeting =
    account.firstName === ''
      ? t('INVITATION.TITLE')
      : t('INVITATION.TITLE_NAMED', { name: account.firstName });
  return (
    <AccountForm
      api={api}
      title={hasPassword ? t(`${again}.TITLE`) : greeting}
      lead={t(hasPassword ? `${again}.LEAD` : 'INVITATION.LEAD')}
      memory={memory}
      known={account}
      emailFixed
      passwordAlone={hasPassword}
      action={t(hasPassword ? `${again}.ACTION` : 'INVITATION.ACTION')}
      submit={async ({ password, firstName, lastName }) => {
        await api.call(acceptInvitation, {
          body: { token, password, ...(hasPassword ? {} : { firstName, lastName }) },
        });
        return { next: signIn };
      }}
      instead={(refusal) => (refusesLink(refusal) ? <LinkRefused signIn={signIn} /> : null)}
    />
  );
}

function LinkRefused({ signIn }: { signIn: string }) {
  const { t } = useTranslation();
  return (
    <Message
      title={t('INVITATION.REFUSED.TITLE')}
      action={
        <LinkButton wide href={signIn}>
          {t('ACCOUNT.SIGN_IN')}
        </LinkButton>
      }
    >
      <p>{t('INVITATION.REFUSED.TEXT')}</p>
    </Message>
  );
}
