import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { visibleScreens } from '#web/feature.ts';
import { useCan } from '#web/platform/contexts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import './settings.css';

/** Links to the parts of the settings. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const parts = visibleScreens(useApp().screens, 'settings', useCan());
  return (
    <>
      <ScreenHead title={t('SETTINGS.TITLE')} lead={t('SETTINGS.LEAD')} />
      <ul className="settings-parts grid above-5 gap-3">
        {parts.map(({ path, icon = 'settings', title, description = '' }) => (
          <li key={path}>
            <Link to={path} className="settings-part grid middle tile panel gap-4 pad-4">
              <Icon name={icon} />
              <span className="grid gap-2px">
                <strong>{t(title)}</strong>
                <span className="muted">{t(description)}</span>
              </span>
              <Icon name="chevron-right" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
