import { proofEndedPage, type ProofOutcome } from '#contract/pages.ts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { browserChannel, openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { Message } from '../sending.tsx';

/** How proofs end. The window of the provider may be cut off from the one that opened it, hence a broadcast. */
export const openProofEnds = () => openBroadcast(browserChannel, 'proof', proofEndedPage.query);

/** The last page in the provider's window; the window that waits shows the same outcome. */
export function ProofEnded({ outcome, provider }: { outcome: ProofOutcome; provider: string }) {
  const { t } = useTranslation();
  useEffect(() => {
    const ends = openProofEnds();
    ends.post({ outcome });
    ends.close();
    // Browsers let scripts close only some windows.
    if (outcome === 'proved') window.close();
  }, [outcome]);
  return (
    <Message title={t(outcome === 'proved' ? 'FACTORS.OUTSIDE.DONE' : 'FACTORS.OUTSIDE.NOT_DONE')}>
      <p>{t(`FACTORS.OUTSIDE.${catalogueKey(outcome)}`, { provider })}</p>
      <p>{t('FACTORS.OUTSIDE.CLOSE')}</p>
    </Message>
  );
}
