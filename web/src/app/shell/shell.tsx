import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Fragment, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '../../platform/branding.ts';
import { useCan } from '../../platform/contexts.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Mark } from '../../ui/mark.tsx';
import { AboveAll } from './above-all.tsx';
import { useApp } from '../app-context.tsx';
import { DeferredPart } from '../screens/deferred-part.tsx';
import { lateScreen } from '../screens/late-screen.tsx';
import { belongsTo, visibleScreens } from '../navigation/navigation.ts';
import { PersonMenu } from './person-menu.tsx';
import { ReportBugCorner } from '../report-bug/report-bug-corner.tsx';
import { consoleGroups, type Screen } from '../screens/screen.ts';
import { useWindowTitle } from './window-title.ts';
import './shell.css';

export const contentId = 'content';

const loadBadge = async () => (await import('./new-reports-badge.tsx')).LateBadge;
const ConsoleDrawer = lateScreen(async () => (await import('./console-drawer.tsx')).ConsoleDrawer);

/** The frame of every screen: what is above, the top bar, the console's side navigation, the screen. */
export function Shell() {
  const { t } = useTranslation();
  const { screens, texts } = useApp();
  const { product, mark } = useBranding();
  const can = useCan();
  const address = useLocation({ select: (location) => location.pathname });
  const main = visibleScreens(screens, 'main', can);
  const console = visibleScreens(screens, 'console', can);
  const inConsole = screens.some((screen) => screen.nav === 'console' && belongsTo(screen, address));
  const [first] = console;
  useWindowTitle(screens);

  return (
    <div className="shell">
      <a className="shell-skip" href={`#${contentId}`}>
        {t('SHELL.SKIP')}
      </a>
      <AboveAll />
      <header className="shell-top">
        <Link to="/" className="shell-brand">
          <Mark src={mark} />
          <span>{product}</span>
        </Link>
        <nav className="shell-nav" aria-label={t('SHELL.SCREENS')}>
          {main.map((screen) => (
            <ShellLink key={screen.path} screen={screen} current={belongsTo(screen, address)} />
          ))}
          {first === undefined ? null : (
            <Link
              ref={inConsole ? showInBar : undefined}
              to={first.path}
              className="shell-link"
              aria-current={inConsole ? 'true' : undefined}
            >
              <span data-text={t('SHELL.CONSOLE')}>{t('SHELL.CONSOLE')}</span>
            </Link>
          )}
        </nav>
        <PersonMenu texts={texts} />
      </header>
      <div className="shell-body">
        {inConsole && console.length > 0 ? <ConsoleNavigation screens={console} address={address} /> : null}
        <main className="shell-main" id={contentId} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <ReportBugCorner />
    </div>
  );
}

/** Scrolls the current entry of a narrow bar into view. */
function showInBar(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function ShellLink({ screen, current, icon = false }: { screen: Screen; current: boolean; icon?: boolean }) {
  const { t } = useTranslation();
  const title = t(screen.title);
  return (
    <Link
      ref={current ? showInBar : undefined}
      to={screen.path}
      className="shell-link"
      aria-current={current ? 'page' : undefined}
    >
      {icon && screen.icon !== undefined ? <Icon name={screen.icon} /> : null}
      <span data-text={title}>{title}</span>
    </Link>
  );
}

/** Beside the screen on wide windows, else a drawer. */
function ConsoleNavigation({ screens, address }: { screens: readonly Screen[]; address: string }) {
  const { t } = useTranslation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const current = screens.find((screen) => belongsTo(screen, address));
  const list = (
    <div className="shell-side-groups">
      {([undefined, ...consoleGroups] as const).map((group) => {
        const those = screens.filter((screen) => screen.group === group);
        if (those.length === 0) return null;
        const heading = group === undefined ? null : t(`SHELL.GROUPS.${group.toUpperCase()}`);
        return (
          <Fragment key={heading}>
            {heading === null ? null : <p aria-hidden="true">{heading}</p>}
            <ul className="shell-side-list" aria-label={heading ?? undefined}>
              {those.map((screen) => (
                <li key={screen.path}>
                  <ShellLink screen={screen} current={screen === current} icon />
                  {screen.badge === undefined ? null : <DeferredPart wanted load={loadBadge} given={{}} />}
                </li>
              ))}
            </ul>
          </Fragment>
        );
      })}
    </div>
  );
  return (
    <>
      <nav className="shell-side" aria-label={t('SHELL.CONSOLE_SCREENS')}>
        {list}
      </nav>
      <div className="shell-drawer-bar">
        <Button tone="quiet" icon="menu" aria-haspopup="dialog" onClick={() => setOpenAt(address)}>
          {t('SHELL.CONSOLE')}
        </Button>
      </div>
      {/* It was opened on one screen and has done its work once there is another. */}
      {openAt === address ? (
        <Suspense fallback={null}>
          <ConsoleDrawer onClose={() => setOpenAt(null)}>{list}</ConsoleDrawer>
        </Suspense>
      ) : null}
    </>
  );
}
