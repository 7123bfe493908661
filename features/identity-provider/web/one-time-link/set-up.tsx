import { claimSetUp } from '#features/identity-provider/contract/identity-provider.ts';
import { beginSetUp } from '#features/session/contract/session.ts';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { Api } from '#web/platform/calls/call.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import type { TabMemory } from '#web/platform/tabs/tab-memory.ts';
import { FormProblem } from '../form-problem.tsx';
import { Message, useSending } from '../sending.tsx';
import { AccountForm, refusesLink } from './account-form.tsx';
import '../form.css';

type SetUpProps = {
  api: Pick<Api, 'call'>;
  memory: TabMemory;
  /** The token of the set-up link; null: the address has none. */
  token: string | null;
  /** There is an operator already. */
  claimed: boolean;
  signIn: string;
  /** The name of the provider where people sign in; null: Portico's own. */
  provider: string | null;
};

/** Where the first operator is created (START-6). */
export function SetUp({ api, memory, token, claimed, signIn, provider }: SetUpProps) {
  const { t } = useTranslation();
  if (claimed) return <Claimed signIn={signIn} />;
  if (token === null) {
    return (
      <Message title={t('SET_UP.MISSING.TITLE')}>
        <p>{t('SET_UP.MISSING.TEXT')}</p>
        <p>{t('SET_UP.MISSING.FILE')}</p>
        <code>{`${window.location.origin}${window.location.pathname}#…`}</code>
      </Message>
    );
  }
  const instead = (problem: ProblemError) => {
    if (problem.code === 'NOT_FOUND') return <Claimed signIn={signIn} />;
    return refusesLink(problem) ? <LinkRefused /> : null;
  };
  if (provider !== null) {
    return <SetUpOutside key={token} api={api} token={token} provider={provider} instead={instead} />;
  }
  return (
    <AccountForm
      api={api}
      key={token}
      title={t('SET_UP.TITLE')}
      lead={t('SET_UP.LEAD')}
      memory={memory}
      known={{ email: '', firstName: '', lastName: '' }}
      action={t('SET_UP.ACTION')}
      submit={(account) => api.call(claimSetUp, { body: { token, ...account } })}
      instead={instead}
    />
  );
}

function Claimed({ signIn }: { signIn: string }) {
  const { t } = useTranslation();
  return (
    <Message
      title={t('SET_UP.CLAIMED.TITLE')}
      action={
        <LinkButton tone="primary" wide href={signIn}>
          {t('ACCOUNT.SIGN_IN')}
        </LinkButton>
      }
    >
      <p>{t('SET_UP.CLAIMED.TEXT')}</p>
      <p>{t('SET_UP.LOCKED_OUT')}</p>
      <code>{t('SET_UP.RESET_COMMAND')}</code>
    </Message>
  );
}

function LinkRefused() {
  const { t } = useTranslation();
  return (
    <Message title={t('SET_UP.REFUSED.TITLE')}>
      <p>{t('SET_UP.REFUSED.TEXT')}</p>
      <p>{t('SET_UP.LOCKED_OUT')}</p>
      <code>{t('SET_UP.RESET_COMMAND')}</code>
    </Message>
  );
}

type SetUpOutsideProps = {
  api: Pick<Api, 'call'>;
  token: string;
  /** The name of the provider. */
  provider: string;
  /** Replaces this form after this problem; null: the form stays. */
  instead: (problem: ProblemError) => ReactNode;
};

/** The person who signs in from here is the first operator (START-6, SES-4). */
function SetUpOutside({ api, token, provider, instead }: SetUpOutsideProps) {
  const { t } = useTranslation();
  const { busy, problem, send } = useSending();
  const other = problem === null ? null : instead(problem);
  if (other !== null) return other;
  return (
    <div className="entry-form stack gap-4">
      <h1 tabIndex={-1}>{t('SET_UP.TITLE')}</h1>
      <p className="muted prose">{t('SET_UP.OUTSIDE.LEAD', { provider })}</p>
      {problem === null ? null : <FormProblem problem={problem} />}
      <Button
        type="button"
        tone="primary"
        wide
        busy={busy}
        onClick={() => send(() => api.call(beginSetUp, { body: { token } }))}
      >
        {t('SET_UP.OUTSIDE.ACTION', { provider })}
      </Button>
    </div>
  );
}
