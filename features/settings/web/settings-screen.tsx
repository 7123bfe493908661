import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import './settings.css';

type Part = { path: string; icon: IconName; title: string; description: string };

/** The parts of the settings, with their screens. */
const parts: readonly Part[] = [
  { path: '/settings/branding', icon: 'image', title: 'BRANDING.TITLE', description: 'SETTINGS.BRANDING' },
  { path: '/settings/apps', icon: 'home', title: 'HOME.MANAGE.TITLE', description: 'SETTINGS.APPS' },
  { path: '/settings/api-tokens', icon: 'key', title: 'API_TOKENS.TITLE', description: 'API_TOKENS.LEAD' },
  {
    path: '/settings/client-keys',
    icon: 'flag',
    title: 'CLIENT_KEYS.TITLE',
    description: 'CLIENT_KEYS.LEAD',
  },
  {
    path: '/settings/diagnostics',
    icon: 'pulse',
    title: 'DIAGNOSTICS_SETTINGS.TITLE',
    description: 'DIAGNOSTICS_SETTINGS.LEAD',
  },
  { path: '/settings/gateway', icon: 'external', title: 'GATEWAY.TITLE', description: 'GATEWAY.LEAD' },
  {
    path: '/reports/settings',
    icon: 'inbox',
    title: 'PAGES.REPORT_SETTINGS',
    description: 'SETTINGS.REPORTS',
  },
];

/** Links to the parts of the settings. */
export function SettingsScreen() {
  const { t } = useTranslation();
  return (
    <>
      <ScreenHead title={t('SETTINGS.TITLE')} lead={t('SETTINGS.LEAD')} />
      <ul className="settings-parts panel">
        {parts.map(({ path, icon, title, description }) => (
          <li key={path}>
            <Link to={path} className="settings-part">
              <Icon name={icon} />
              <span>
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
