import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ShellLink } from './shell-link.tsx';
import type { Screen } from '../../feature.ts';
import { Icon } from '../../ui/icon.tsx';
import './console-navigation.css';

/** Beside each page of the settings: the way back to their list and, where there is room, all pages. */
export function SettingsNavigation({ screens, current }: { screens: readonly Screen[]; current: Screen }) {
  const { t } = useTranslation();
  return (
    <nav className="settings-navigation" aria-label={t('SETTINGS.TITLE')}>
      <Link to="/settings" className="screen-up">
        <Icon name="chevron-left" size={14} />
        {t('SETTINGS.TITLE')}
      </Link>
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
