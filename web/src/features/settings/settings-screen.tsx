import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../ui/icon.tsx';
import '../../ui/screen.css';
import './settings.css';

type Part = { path: string; icon: IconName; title: string; description: string };

/** What the installation is set up with, and where. */
const parts: readonly Part[] = [
  { path: '/settings/branding', icon: 'image', title: 'BRANDING.TITLE', description: 'BRANDING.LEAD' },
  { path: '/settings/api-tokens', icon: 'key', title: 'API_TOKENS.TITLE', description: 'API_TOKENS.LEAD' },
  {
    path: '/settings/client-keys',
    icon: 'flag',
    title: 'CLIENT_KEYS.TITLE',
    description: 'CLIENT_KEYS.LEAD',
  },
  {
    path: '/settings/retention',
    icon: 'clock',
    title: 'PAGES.RETENTION',
    description: 'SETTINGS.RETENTION',
  },
  { path: '/webhooks', icon: 'external', title: 'WEBHOOKS.TITLE', description: 'WEBHOOKS.LEAD' },
];

/** The way to each part of the settings. */
export function SettingsScreen() {
  const { t } = useTranslation();
  return (
    <>
      <header className="screen-head">
        <div>
          <h1 tabIndex={-1}>{t('SETTINGS.TITLE')}</h1>
          <p className="muted">{t('SETTINGS.LEAD')}</p>
        </div>
      </header>
      <ul className="settings-parts">
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
