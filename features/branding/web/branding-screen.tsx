import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { detailState } from '#web/platform/lists/list-state.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { DetailFrame } from '#web/ui/detail-frame.tsx';
import { BrandingForm, brandingQuery } from './branding-form.tsx';
import './branding.css';

/** The name, colour and mark of the installation. */
export function BrandingScreen() {
  const { t } = useTranslation();
  const branding = useQuery(brandingQuery);
  return (
    <>
      <ScreenHead title={t('BRANDING.TITLE')} lead={t('BRANDING.LEAD')} />
      <DetailFrame texts="BRANDING" {...detailState(t, branding)}>
        {branding.data === undefined ? null : <BrandingForm stored={branding.data} />}
        <HistoryLink subject="branding" />
      </DetailFrame>
    </>
  );
}
