import type { Branding } from '#features/branding/contract/branding.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { retryProps } from '#web/platform/lists/list-state.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { BrandingForm, brandingQuery } from './branding-form.tsx';
import './branding.css';

/** The name, colour and mark of the installation. */
export function BrandingScreen() {
  const { t } = useTranslation();
  const branding = useQuery(brandingQuery);
  const stored: Branding | undefined = branding.data;
  return (
    <>
      <ScreenHead title={t('BRANDING.TITLE')} lead={t('BRANDING.LEAD')} />
      {branding.isPending ? (
        <Skeleton label={t('BRANDING.LOADING')} count={6} />
      ) : stored === undefined ? (
        <ErrorState title={t('BRANDING.FAILED.TITLE')} {...retryProps(t, branding)}>
          {t('BRANDING.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <>
          <BrandingForm stored={stored} />
          <HistoryLink subject="branding" />
        </>
      )}
    </>
  );
}
