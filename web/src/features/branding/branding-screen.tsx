import type { Branding } from '@portico/contract/branding';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../platform/ask-again.ts';
import { useApi } from '../../platform/contexts.tsx';
import { HistoryLink } from '../../platform/history-link.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { BrandingForm } from './branding-form.tsx';
import { brandingQuery } from './branding-query.ts';
import '../../ui/screen.css';
import './branding.css';

/** How the installation looks to everybody. */
export function BrandingScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const branding = useQuery(brandingQuery(api));
  const kept: Branding | undefined = branding.data;
  return (
    <>
      <header className="screen-head">
        <div>
          <Link to="/settings" className="screen-up">
            <Icon name="chevron-left" size={14} />
            {t('SETTINGS.TITLE')}
          </Link>
          <h1 tabIndex={-1}>{t('BRANDING.TITLE')}</h1>
          <p className="muted">{t('BRANDING.LEAD')}</p>
        </div>
      </header>
      {branding.isPending ? (
        <Skeleton label={t('BRANDING.LOADING')} count={6} />
      ) : kept === undefined ? (
        <ErrorState title={t('BRANDING.FAILED.TITLE')} {...askAgain(t, branding)}>
          {t('BRANDING.FAILED.TEXT')}
        </ErrorState>
      ) : (
        <>
          <BrandingForm kept={kept} />
          <HistoryLink subject="branding" />
        </>
      )}
    </>
  );
}
