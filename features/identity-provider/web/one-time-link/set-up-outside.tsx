import { beginSetUp } from '#features/session/contract/session.ts';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { Button } from '#web/ui/button.tsx';
import { FormProblem } from '../form-problem.tsx';
import { useSending } from '../use-sending.ts';
import type { ReactNode } from 'react';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';
import '../form.css';

type SetUpOutsideProps = {
  api: Pick<Api, 'call'>;
  token: string;
  /** The name of the provider. */
  provider: string;
  /** Replaces it after this problem; null: it stays. */
  instead: (problem: ProblemError) => ReactNode;
};

/** The person who signs in from here is the first operator (START-6, SES-4). */
export function SetUpOutside({ api, token, provider, instead }: SetUpOutsideProps) {
  const { t } = useTranslation();
  const { busy, problem, send } = useSending();
  const other = problem === null ? null : instead(problem);
  if (other !== null) return other;
  return (
    <div className="entry-form">
      <h1 tabIndex={-1}>{t('SET_UP.TITLE')}</h1>
      <p className="entry-lead">{t('SET_UP.OUTSIDE.LEAD', { provider })}</p>
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
