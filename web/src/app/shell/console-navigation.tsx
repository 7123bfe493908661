import { Fragment, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { belongsTo } from '../../feature.ts';
import { DeferredPart } from '../../platform/deferred-part.tsx';
import { consoleGroups, type Screen } from '../../feature.ts';
import { ShellLink } from './shell-link.tsx';
import './console-navigation.css';

/** The console's screens in their groups. */
export function ConsoleNavigation({ screens, address }: { screens: readonly Screen[]; address: string }) {
  const { t } = useTranslation();
  const current = screens.find((screen) => belongsTo(screen, address));
  return (
    <nav className="shell-side-groups" aria-label={t('SHELL.CONSOLE_SCREENS')}>
      {([undefined, ...consoleGroups] as const).map((group) => {
        const those = screens.filter((screen) => screen.group === group);
        if (those.length === 0) return null;
        const heading = group === undefined ? null : t(`SHELL.GROUPS.${group.toUpperCase()}`);
        return (
          <Fragment key={heading}>
            {heading === null ? null : <p aria-hidden="true">{heading}</p>}
            <ul className="shell-side-list stack" aria-label={heading ?? undefined}>
              {those.map((screen) => (
                <li key={screen.path}>
                  <ShellLink screen={screen} current={screen === current} icon />
                  {screen.badge === undefined ? null : <Badge file={screen.badge} />}
                </li>
              ))}
            </ul>
          </Fragment>
        );
      })}
    </nav>
  );
}

function Badge({ file }: { file: string }) {
  const load = useCallback(async () => (await import('../screens/lazy-screens.ts')).loadScreen(file), [file]);
  return <DeferredPart wanted load={load} given={{}} />;
}
