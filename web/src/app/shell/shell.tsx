import { Link, Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '#features/profile/web/avatar.tsx';
import type { ToLose } from '#features/session/web/sign-out/signing-out.ts';
import { useBranding } from '../../platform/branding.ts';
import { useCan, useCurrentUser, useSignInPlace } from '../../platform/contexts.tsx';
import type { Texts } from '../../platform/i18n/i18n.ts';
import { asLanguage, languages } from '../../platform/i18n/language.ts';
import { keysAsked } from '../../platform/keys/keys.ts';
import { useStore } from '../../platform/state/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Menu } from '../../ui/menu.tsx';
import { AboveAll } from './above-all.tsx';
import { useApp } from '../app-context.tsx';
import { DeferredPart } from '../../platform/deferred-part.tsx';
import { lazyScreen, useOpenDialog } from '../screens/lazy-screen.tsx';
import { belongsTo, visibleScreens } from '../../feature.ts';
import { ReportBugButton } from '../report-bug/report-bug-button.tsx';
import { askedBeforeSignOut, ChangePasswordDialog, SignOutDialog } from './account-dialogs.tsx';
import { ShellLink, showInBar } from './shell-link.tsx';
import {
  chooseTheme,
  type Theme,
  theme as chosenTheme,
  themes,
  useShowLanguage,
} from './use-show-language.ts';
import './shell.css';

export const contentId = 'content';

const loadFind = async () => (await import('../at-rest.ts')).atRest.FindField;
const loadConsole = async () => (await import('../at-rest.ts')).atRest.ConsoleNavigation;
const loadSettings = async () => (await import('./late-navigation.tsx')).SettingsNavigation;
const NavigationDrawer = lazyScreen(async () => (await import('./late-navigation.tsx')).NavigationDrawer);

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
  const settings = visibleScreens(screens, 'settings', can);
  const inSettings = settings.find(({ path }) => path === address);
  const [first] = console;
  const title = useWindowTitle();
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
      <a className="shell-skip rounded strong" href={`#${contentId}`}>
        {t('SHELL.SKIP')}
      </a>
      <AboveAll />
      <header className="shell-top row gap-3 rigid">
        <NavigationButton address={address}>
          <nav className="shell-drawer stack" aria-label={t('SHELL.SCREENS')}>
            {mainLinks(true)}
          </nav>
          {consoleLinks}
        </NavigationButton>
        <Link to="/" className="shell-brand row">
          <Mark src={mark} />
          <span>{product}</span>
        </Link>
        {/* Narrow windows show this instead of the mark and the heading; screen readers still read the heading. */}
        {address === '/' ? null : (
          <p className="shell-title" aria-hidden="true">
            {title}
          </p>
        )}
        <nav className="shell-nav grow" aria-label={t('SHELL.SCREENS')}>
          {mainLinks(false)}
          {first === undefined ? null : (
            <Link
              ref={inConsole ? showInBar : undefined}
              to={first.path}
              className="shell-link rounded row"
              aria-current={inConsole ? 'true' : undefined}
            >
              <span data-text={t('SHELL.CONSOLE')}>{t('SHELL.CONSOLE')}</span>
            </Link>
          )}
        </nav>
        <div className="shell-find rigid">
          <DeferredPart wanted load={loadFind} given={{}} />
        </div>
        <ReportBugButton />
        <PersonMenu texts={texts} />
      </header>
      <div className="shell-body grow">
        {inConsole && consoleLinks !== null ? (
          <div className="shell-side rigid surface">{consoleLinks}</div>
        ) : null}
        <main
          className={inSettings === undefined ? 'shell-main grow' : 'shell-main shell-main-settings grow'}
          id={contentId}
          tabIndex={-1}
        >
          {inSettings === undefined ? null : (
            <div className="shell-settings">
              <DeferredPart wanted load={loadSettings} given={{ screens: settings, current: inSettings }} />
            </div>
          )}
          <Outlet />
        </main>
      </div>
    </div>
  );
}

/** Opens the navigation in a drawer; shown on narrow windows. */
function NavigationButton({ address, children }: { address: string; children: ReactNode }) {
  const { t } = useTranslation();
  const openDialog = useOpenDialog();
  const [openAt, setOpenAt] = useState<string | null>(null);
  return (
    <div className="shell-menu">
      <IconButton
        icon="menu"
        label={t('SHELL.MENU')}
        aria-haspopup="dialog"
        onClick={() => void openDialog(NavigationDrawer, () => setOpenAt(address))}
      />
      {/* The drawer is open only on the screen on which it was opened: a navigation closes it. */}
      {openAt === address ? (
        <NavigationDrawer onClose={() => setOpenAt(null)}>{children}</NavigationDrawer>
      ) : null}
    </div>
  );
}

/** Names the window after the screen, or after the thing whose page is open; returns the name. */
function useWindowTitle(): string {
  const { t } = useTranslation();
  const { screens, openedName } = useApp();
  const { product } = useBranding();
  const path = useMatches({ select: (matches) => String(matches.at(-1)?.routeId) });
  const screen = screens.find((one) => one.path === path);
  const ofScreen = screen === undefined ? t('PAGES.NOT_FOUND.TITLE') : t(screen.title);
  const name = useStore(openedName) || ofScreen;
  const title = t('SHELL.DOCUMENT_TITLE', { screen: name, product });
  useEffect(() => {
    document.title = title;
  }, [title]);
  return name;
}

const RetainedDraftsDialog = lazyScreen(
  async () =>
    (await import('#features/session/web/sign-out/retained-drafts-dialog.tsx')).RetainedDraftsDialog,
  'KEPT_DRAFTS',
);

const themeIcons: Record<Theme, IconName> = { system: 'monitor', light: 'sun', dark: 'moon' };

/** The menu of the account: profile, language, appearance, password, sign-out. */
function PersonMenu({ texts }: { texts: Texts }) {
  const { t, i18n } = useTranslation();
  const user = useCurrentUser();
  const { signingOut } = useApp();
  const retained = useStore(signingOut.retained);
  const navigate = useNavigate();
  const { outsideProvider } = useSignInPlace();
  const theme = useStore(chosenTheme);
  const [changingPassword, setChangingPassword] = useState(false);
  const [toLose, setToLose] = useState<ToLose | null>(null);
  const [showingDrafts, setShowingDrafts] = useState(false);
  const name = user === null ? '' : `${user.firstName} ${user.lastName}`.trim();
  const shown = name === '' ? (user?.email ?? '') : name;
  const current = asLanguage(i18n.language);

  const show = useShowLanguage();
  const openDialog = useOpenDialog();

  /** Signs out; asks first if something would be lost. */
  async function signOut(): Promise<void> {
    const lost = await askedBeforeSignOut(signingOut, texts);
    if (lost === null) await signingOut.discard();
    else setToLose(lost);
  }

  return (
    <>
      <Menu
        label={shown === '' ? t('SHELL.ACCOUNT.UNNAMED') : t('SHELL.ACCOUNT.LABEL', { name: shown })}
        buttonClassName="shell-person"
        button={shown === '' ? <Icon name="person" /> : <Avatar fileId={user?.avatar ?? null} name={shown} />}
        head={
          shown === '' ? undefined : (
            <>
              <div className="strong breaks">{shown}</div>
              {name === '' ? null : <div className="muted small breaks">{user?.email}</div>}
            </>
          )
        }
        items={[
          { label: t('PROFILE.TITLE'), icon: 'person', onSelect: () => void navigate({ to: '/profile' }) },
          {
            label: t('SHELL.ACCOUNT.LANGUAGE'),
            options: languages.map(({ language, label }) => ({
              label,
              lang: language,
              checked: language === current,
              onSelect: () => void show(language),
            })),
          },
          {
            label: t('SHELL.ACCOUNT.THEME'),
            options: themes.map((one) => ({
              label: t(`SHELL.ACCOUNT.THEMES.${one.toUpperCase()}`),
              icon: themeIcons[one],
              checked: one === theme,
              onSelect: () => chooseTheme(one),
            })),
          },
          ...(retained === null
            ? []
            : [
                {
                  label: t('SHELL.ACCOUNT.KEPT_DRAFTS', { count: retained.count }),
                  icon: 'edit' as const,
                  onSelect: () => void openDialog(RetainedDraftsDialog, () => setShowingDrafts(true)),
                },
              ]),
          // People who sign in at another provider have no password here.
          ...(outsideProvider === null
            ? [
                {
                  label: t('SECURITY.TITLE'),
                  icon: 'shield' as const,
                  onSelect: () => void navigate({ to: '/security' }),
                },
                {
                  label: t('SHELL.ACCOUNT.PASSWORD'),
                  icon: 'key' as const,
                  onSelect: () => void openDialog(ChangePasswordDialog, () => setChangingPassword(true)),
                },
              ]
            : []),
          // Phones have no keys.
          ...(window.matchMedia('(pointer: fine)').matches
            ? [
                {
                  label: t('SHELL.ACCOUNT.KEYS'),
                  icon: 'list' as const,
                  onSelect: () => keysAsked.publish(),
                },
              ]
            : []),
          { label: t('SHELL.ACCOUNT.SIGN_OUT'), icon: 'sign-out', onSelect: () => void signOut() },
        ]}
      />
      {toLose === null ? null : (
        <SignOutDialog lost={toLose} signingOut={signingOut} onClose={() => setToLose(null)} />
      )}
      {showingDrafts ? (
        <RetainedDraftsDialog signingOut={signingOut} onClose={() => setShowingDrafts(false)} />
      ) : null}
      {changingPassword ? <ChangePasswordDialog onClose={() => setChangingPassword(false)} /> : null}
    </>
  );
}
