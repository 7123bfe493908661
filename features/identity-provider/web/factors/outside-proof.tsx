import type { ProofOutcome } from '#contract/pages.ts';
import { beginProof } from '#features/session/contract/session.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { base } from '#web/platform/base.ts';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/notice.tsx';
import { openProofEnds } from './proof-ended.tsx';

type OutsideProofProps = {
  /** What people call it. */
  provider: string;
  onSettled: (proved: boolean) => void;
};

/** Has a person sign in again at the company's provider, in another window, and waits for how that ends (SES-13). */
export function OutsideProof({ provider, onSettled }: OutsideProofProps) {
  const { t } = useTranslation();
  const [waiting, setWaiting] = useState(false);
  const [outcome, setOutcome] = useState<ProofOutcome | null>(null);
  const receive = useEffectEvent((ended: ProofOutcome) => {
    if (ended === 'proved') onSettled(true);
    setWaiting(false);
    setOutcome(ended);
  });
  useEffect(() => {
    const ends = openProofEnds();
    ends.subscribe((message) => receive(message.outcome));
    return ends.close;
  }, []);

  return (
    <Dialog
      title={t('FACTORS.CONFIRM.TITLE')}
      onClose={() => onSettled(false)}
      footer={
        <>
          <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton>
          {/* A link, since browsers block windows that scripts open. */}
          <LinkButton
            tone="primary"
            icon="external"
            href={`${base}${beginProof.path}`}
            target="_blank"
            rel="noopener"
            data-autofocus
            onClick={() => {
              setWaiting(true);
              setOutcome(null);
            }}
          >
            {t(waiting || outcome !== null ? 'FACTORS.OUTSIDE.AGAIN' : 'FACTORS.OUTSIDE.OPEN', { provider })}
          </LinkButton>
        </>
      }
    >
      <p>{t('FACTORS.OUTSIDE.LEAD', { provider })}</p>
      <Problem>
        {outcome === null ? null : t(`FACTORS.OUTSIDE.${catalogueKey(outcome)}`, { provider })}
      </Problem>
      <p role="status" className="muted">
        {waiting ? t('FACTORS.OUTSIDE.WAITING', { provider }) : null}
      </p>
    </Dialog>
  );
}
