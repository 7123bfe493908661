import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { RetentionSection } from '#features/erasure/web/retention-section.tsx';
import { ReportFormSettings } from './report-form-settings.tsx';
import { ReportNoticesSettings } from './report-notices-settings.tsx';
import '#web/ui/screen.css';

/** Required fields of the report form, mail addresses, issue tracker, and retention of reports. */
export function ReportSettingsScreen() {
  const { t } = useTranslation();
  const mayRead = useCan()('REPORTS_READ');
  return (
    <div className="person-data">
      <header className="screen-head">
        <div>
          <Link to={mayRead ? '/reports' : '/settings'} className="screen-up">
            <Icon name="chevron-left" size={14} />
            {t(mayRead ? 'REPORTS.TITLE' : 'SETTINGS.TITLE')}
          </Link>
          <h1 tabIndex={-1}>{t('PAGES.REPORT_SETTINGS')}</h1>
        </div>
      </header>
      <ReportFormSettings />
      <ReportNoticesSettings />
      <RetentionSection />
    </div>
  );
}
