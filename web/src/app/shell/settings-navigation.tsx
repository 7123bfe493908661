import { useTranslation } from 'react-i18next';
import { ShellLink } from './shell-link.tsx';
import { UpLink } from '../detail-page.tsx';
import type { Screen } from '../../feature.ts';
import './console-navigation.css';

/** Shown next to each settings page: a link back to the list and, where there is room, links to all pages. */
export function SettingsNavigation({ screens, current }: { screens: readonly Screen[]; current: Screen }) {
  const { t } = useTranslation();
  return (
    <nav className="settings-navigation stack gap-2" aria-label={t('SETTINGS.TITLE')}>
      <UpLink to="/settings">{t('SETTINGS.TITLE')}</UpLink>
      <ul className="stack gap-1">
        {screens.map((screen) => (
          <li key={screen.path}>
            <ShellLink screen={screen} current={screen === current} icon />
          </li>
        ))}
      </ul>
    </nav>
  );
}
