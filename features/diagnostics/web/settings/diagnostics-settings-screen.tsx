import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { ProjectsSection } from './projects-section.tsx';
import { AlertsSection } from './alerts-section.tsx';
import { SourceMapsSection } from './source-maps-section.tsx';
import './diagnostics-settings.css';

/** Projects that report errors, retention, alerts, and source maps. */
export function DiagnosticsSettingsScreen() {
  const { t } = useTranslation();
  const mayRead = useCan()('DIAGNOSTICS_READ');
  return (
    <div className="diagnostics-settings stack">
      <ScreenHead title={t('DIAGNOSTICS.TITLE')} lead={t('DIAGNOSTICS_SETTINGS.LEAD')} />
      <ProjectsSection />
      <AlertsSection />
      {mayRead ? <SourceMapsSection /> : null}
    </div>
  );
}
