import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '../../platform/branding.ts';
import { useCan } from '../../platform/contexts.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Mark } from '../../ui/mark.tsx';
import { AboveAll } from './above-all.tsx';
import { useApp } from '../app-context.tsx';
import { DeferredPart } from '../screens/deferred-part.tsx';
import { lazyScreen } from '../screens/lazy-screen.tsx';
import { belongsTo, visibleScreens } from '../../feature.ts';
import { PersonMenu } from './person-menu.tsx';
import { ReportBugButton } from '../report-bug/report-bug-button.tsx';
import { ShellLink, showInBar } from './shell-link.tsx';
import { useWindowTitle } from './window-title.ts';
import './shell.css';

export const contentId = 'content';

const loadFind = async () => (await import('../palette/find-field.tsx')).FindField;
const loadConsole = async () => (await import('./console-navigation.tsx')).ConsoleNavigation;
const NavigationDrawer = lazyScreen(async () => (await import('./navigation-drawer.tsx')).NavigationDrawer);

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
  const title = useWindowTitle(screens);
  const mainLinks = (isInDrawer: boolean) =>
    main.map((screen) => (
      <ShellLink key={screen.path} screen={screen} current={belongsTo(screen, address)} icon={isInDrawer} />
    ));
  const consoleLinks =
    first === undefined ? null : (
      <DeferredPart wanted load={loadConsole} given={{ screens: console, address }} />
    );

  return (
    <div className="shell">
      <a className="shell-skip" href={`#${contentId}`}>
        {t('SHELL.SKIP')}
      </a>
      <AboveAll />
      <header className="shell-top">
        <NavigationButton address={address}>
          <nav className="shell-drawer" aria-label={t('SHELL.SCREENS')}>
            {mainLinks(true)}
          </nav>
          {consoleLinks}
        </NavigationButton>
        <Link to="/" className="shell-brand">
          <Mark src={mark} />
          <span>{product}</span>
        </Link>
        {/* On narrow windows in place of the mark and of the heading, which screen readers read all the same. */}
        {address === '/' ? null : (
          <p className="shell-title" aria-hidden="true">
            {title}
          </p>
        )}
        <nav className="shell-nav" aria-label={t('SHELL.SCREENS')}>
          {mainLinks(false)}
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
        <div className="shell-find">
          <DeferredPart wanted load={loadFind} given={{}} />
        </div>
        <ReportBugButton />
        <PersonMenu texts={texts} />
      </header>
      <div className="shell-body">
        {inConsole && consoleLinks !== null ? <div className="shell-side">{consoleLinks}</div> : null}
        <main className="shell-main" id={contentId} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

/** Opens the navigation in a drawer; shown on narrow windows. */
function NavigationButton({ address, children }: { address: string; children: ReactNode }) {
  const { t } = useTranslation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  return (
    <div className="shell-menu">
      <IconButton
        icon="menu"
        label={t('SHELL.MENU')}
        aria-haspopup="dialog"
        onClick={() => setOpenAt(address)}
      />
      {/* It was opened on one screen and has done its work once there is another. */}
      {openAt === address ? (
        <Suspense fallback={null}>
          <NavigationDrawer onClose={() => setOpenAt(null)}>{children}</NavigationDrawer>
        </Suspense>
      ) : null}
    </div>
  );
}
