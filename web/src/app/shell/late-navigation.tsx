import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ShellLink } from './shell-link.tsx';
import { UpLink } from '../detail-page.tsx';
import type { Screen } from '../../feature.ts';
import { useBranding } from '../../platform/branding.ts';
import { Dialog } from '../../ui/dialog.tsx';
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

/** All of the navigation on narrow windows: the screens of the top bar, and those of the console. */
export function NavigationDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { product } = useBranding();
  return (
    <Dialog kind="drawer" title={product} onClose={onClose}>
      {children}
    </Dialog>
  );
}
