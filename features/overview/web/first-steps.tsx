import {
  type FirstStep,
  type FirstSteps,
  firstSteps,
  setFirstSteps,
} from '#features/overview/contract/overview.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useAskedAction } from '#web/platform/lists/address-filter.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';

/** Where each is done. Mail is configured where the server is started. */
const places: Record<Exclude<FirstStep, 'mail'>, { to: string; search: Record<string, string> }> = {
  protect: { to: '/security', search: {} },
  application: { to: '/settings/apps', search: {} },
  person: { to: '/people', search: { do: 'invite' } },
  flag: { to: '/flags', search: { do: 'new' } },
  sdk: { to: '/settings/client-keys', search: {} },
  branding: { to: '/settings/branding', search: {} },
};
const mailExample = 'SMTP_URL=smtps://user:password@mail.example.org';

/** Whether the list is shown and waits for the first SDK. */
export function waitForSdk({ done, hidden }: FirstSteps): boolean {
  return !hidden && !done.includes('sdk');
}

type FirstStepsListProps = { steps: FirstSteps; queryKey: readonly string[] };

/** What a new installation still lacks, each with the way there; it is ticked by what is there (CON-5). */
export function FirstStepsList({ steps, queryKey }: FirstStepsListProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const heading = useId();
  const [asked, setAsked] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (putAway: boolean) => api.call(setFirstSteps, { body: { hidden: putAway } }),
    async onSuccess(_, putAway) {
      await queries.invalidateQueries({ queryKey });
      if (putAway) notify({ kind: 'success', title: t('OVERVIEW.FIRST.HIDDEN') });
    },
    onError: (error) => notify({ kind: 'error', title: problemText(t, error) }),
  });
  useAskedAction('first-steps', true, () => {
    setAsked(true);
    if (steps.hidden) mutate(false);
  });
  const { done, hidden } = steps;
  // Once everything is done it is shown only to who asks for it.
  if (hidden || (done.length === firstSteps.length && !asked)) return null;
  const words = (step: FirstStep, part: string) => t(`OVERVIEW.FIRST.${step.toUpperCase()}.${part}`);
  return (
    <section className="overview-card panel clipped" aria-labelledby={heading}>
      <h2 className="row between gap-4">
        <span id={heading}>{t('OVERVIEW.FIRST.TITLE')}</span>
        <span className="row">
          <span className="muted small">
            {t('OVERVIEW.FIRST.DONE', { done: done.length, all: firstSteps.length })}
          </span>
          <Button small tone="quiet" busy={isPending} onClick={() => mutate(true)}>
            {t('OVERVIEW.FIRST.HIDE')}
          </Button>
        </span>
      </h2>
      <ol>
        {firstSteps.map((step) => (
          <li key={step} className="overview-row grid middle gap-3 ruled" data-done={done.includes(step)}>
            <span className="overview-step round ok">
              {done.includes(step) ? <Icon name="check-circle" size={20} /> : null}
              <span className="visually-hidden">
                {t(done.includes(step) ? 'OVERVIEW.FIRST.IS_DONE' : 'OVERVIEW.FIRST.IS_OPEN')}
              </span>
            </span>
            <span className="overview-row-text grid breaks">
              <span id={`${heading}-${step}`}>{words(step, 'TITLE')}</span>
              <span className="two-lines muted small">
                {words(step, step === 'sdk' && done.includes(step) ? 'RECEIVED' : 'TEXT')}
              </span>
            </span>
            {done.includes(step) ? null : step === 'mail' ? (
              <CopyButton small text={mailExample} label={words(step, 'ACTION')} what="SMTP_URL" />
            ) : (
              <Link className="button button-small" {...places[step]} aria-describedby={`${heading}-${step}`}>
                {words(step, 'ACTION')}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
