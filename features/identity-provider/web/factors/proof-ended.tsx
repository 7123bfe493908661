import { proofEndedPage, type ProofOutcome } from '#contract/pages.ts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { browserChannel, openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { Message } from '../message.tsx';

/** How proofs end. The window of the provider may be cut off from the one that opened it, hence a broadcast. */
export const openProofEnds = () => openBroadcast(browserChannel, 'proof', proofEndedPage.query);

/** Where the window of the provider ends; what it says is shown in the one that waits too. */
export function ProofEnded({ outcome, provider }: { outcome: ProofOutcome; provider: string }) {
  const { t } = useTranslation();
  useEffect(() => {
    const ends = openProofEnds();
    ends.post({ outcome });
    ends.close();
    // Browsers allow it for some windows alone.
    if (outcome === 'proved') window.close();
  }, [outcome]);
  return (
    <Message title={t(outcome === 'proved' ? 'FACTORS.OUTSIDE.DONE' : 'FACTORS.OUTSIDE.NOT_DONE')}>
      <p>{t(`FACTORS.OUTSIDE.${catalogueKey(outcome)}`, { provider })}</p>
      <p>{t('FACTORS.OUTSIDE.CLOSE')}</p>
    </Message>
  );
}
