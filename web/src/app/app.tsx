import { presentTimeZone } from '#contract/time-zones.ts';
import { maintenancePath } from '#features/maintenance/contract/maintenance.ts';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { Activity, type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { ReportNewsNotice } from '#features/feedback/web/member/report-news-notice.tsx';
import { MaintenanceScreen } from '#features/maintenance/web/member/maintenance-screen.tsx';
import type { Flags } from '#features/flags/web/flags.ts';
import { GrowthBookContext } from '@growthbook/growthbook-react';
import { base } from '../platform/base.ts';
import {
  ProvideApi,
  ProvideCan,
  ProvideCurrentUser,
  ProvideFormats,
  ProvideServerClock,
  ProvideSession,
  ProvideSignInPlace,
  useCurrentUser,
} from '../platform/contexts.tsx';
import { StoredWorkContext } from '../platform/forms/stored-work.ts';
import { unsavedWork } from '../platform/forms/unsaved-work.ts';
import { ProvideFileAddresses } from '../platform/files/files.tsx';
import { createFormats, ownTimeZone, regionalLocale } from '../platform/i18n/formats.ts';
import { catalogueKey } from '../platform/i18n/isolated.ts';
import type { Texts } from '../platform/i18n/i18n.ts';
import { createStore, type Readable } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';
import { type UsualWords, UsualWordsContext } from '../ui/usual-words.ts';
import { NotificationStack } from '../ui/notifications/notification-stack.tsx';
import { ProvideApp, useApp } from './app-context.tsx';
import { LeaveGuard } from './navigation/leave-guard.tsx';
import { DeferredPart } from '../platform/deferred-part.tsx';
import { ErrorPage } from './screens/pages.tsx';
import type { AppRouter } from './navigation/router.tsx';
import type { Screen } from '../feature.ts';
import type { PageParts } from './composition.ts';
import { SessionGate } from './shell/session-gate.tsx';
import { Shell } from './shell/shell.tsx';

type AppProps = {
  page: PageParts;
  texts: Texts;
  screens: readonly Screen[];
  router: AppRouter;
  /** Everything is known that decides what the person sees. */
  ready: Readable<boolean>;
};

const loadRightsWarning = async () =>
  (await import('#features/permissions/web/rights-warning.tsx')).RightsWarning;

/**
 * The application: the screens, or the maintenance page over them, with warnings and notifications above
 * both.
 */
export function App({ page, texts, screens, router, ready }: AppProps) {
  const { maintenance, permissions } = page;
  const services = useMemo(
    () => ({ ...page, screens, texts, openedName: createStore('') }),
    [page, screens, texts],
  );
  const covered = useStore(maintenance.gate) === 'page';
  const change = useStore(permissions.change);
  const loadReportTexts = useCallback(() => texts.add('MY_REPORTS'), [texts]);
  const showReport = useCallback(
    (report: string) => void router.navigate({ to: '/my-reports', search: { report } }),
    [router],
  );
  const isReportShown = useCallback(
    (report: string) => router.state.location.href === `/my-reports?report=${report}`,
    [router],
  );
  useCoveredAddress(router, covered);
  return (
    <Providers page={page} texts={texts}>
      <ProvideApp services={services}>
        <CatchBoundary getResetKey={() => 0} errorComponent={ErrorPage}>
          <SessionGate ready={ready} covered={covered}>
            <RouterProvider router={router} />
          </SessionGate>
          {covered ? <MaintenanceScreen maintenance={maintenance} /> : null}
        </CatchBoundary>
        <DeferredPart
          wanted={change !== null}
          load={loadRightsWarning}
          given={{ change, onClose: permissions.acknowledge, onReload: reload }}
        />
        <ReportNewsNotice
          news={page.reportNews}
          loadTexts={loadReportTexts}
          onShow={showReport}
          isShown={isReportShown}
        />
        <LazyProof proof={page.proof} texts={texts} />
        <LazySavePrompt maintenance={maintenance} />
        <Notifications />
      </ProvideApp>
    </Providers>
  );
}

const reload = () => window.location.reload();

/** The frame of every screen, which stays as it is while the maintenance page covers it (MAINT-3). */
export function Frame() {
  const { maintenance } = useApp();
  const covered = useStore(maintenance.gate) === 'page';
  useRestoredPosition(covered);
  return (
    <>
      <LeaveGuard />
      <Activity mode={covered ? 'hidden' : 'visible'}>
        <Shell />
      </Activity>
    </>
  );
}

/** Asks the person to prove their identity again, while a call waits for the proof. */
function LazyProof({ proof, texts }: Pick<PageParts, 'proof'> & Pick<AppProps, 'texts'>) {
  const asked = useStore(proof.asked);
  const load = useCallback(
    () =>
      Promise.all([
        import('#features/identity-provider/web/factors/prove-dialog.tsx'),
        texts.add('FACTORS'),
      ]).then(([{ ProveDialog }]) => ProveDialog),
    [texts],
  );
  return <DeferredPart wanted={asked} load={load} given={{ asked, onSettled: proof.settle }} />;
}

const loadSavePrompt = async () =>
  (await import('#features/maintenance/web/member/save-prompt.tsx')).SavePrompt;

/** Asks to save unsaved work shortly before a maintenance window starts. */
function LazySavePrompt({ maintenance }: Pick<PageParts, 'maintenance'>) {
  const isNear = useStore(maintenance.approach) !== null;
  return <DeferredPart wanted={isNear} load={loadSavePrompt} given={{ maintenance, unsaved: unsavedWork }} />;
}

function Notifications() {
  const { t } = useTranslation();
  return <NotificationStack texts={{ region: t('SHELL.NOTIFICATIONS'), close: t('COMMON.CLOSE') }} />;
}

type ProvidersProps = Pick<AppProps, 'page' | 'texts'> & { children: ReactNode };

function Providers({ page, texts, children }: ProvidersProps) {
  return (
    <I18nextProvider i18n={texts.i18n}>
      <ProvideApi value={page.api}>
        <ProvideServerClock value={page.serverClock}>
          <ProvideSession value={page.session}>
            <ProvideSignInPlace value={page.signInPlace}>
              <ProvideCurrentUser value={page.profile.currentUser}>
                <ProvideCan value={page.permissions.can}>
                  <ProvideFileAddresses value={page.fileAddresses}>
                    <FlagsProvider flags={page.flags}>
                      <StoredWorkContext value={page.storedWork}>
                        <PersonalFormats>
                          <WordsOfControls>{children}</WordsOfControls>
                        </PersonalFormats>
                      </StoredWorkContext>
                    </FlagsProvider>
                  </ProvideFileAddresses>
                </ProvideCan>
              </ProvideCurrentUser>
            </ProvideSignInPlace>
          </ProvideSession>
        </ProvideServerClock>
      </ProvideApi>
    </I18nextProvider>
  );
}

function WordsOfControls({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const words = useMemo<UsualWords>(
    () => ({
      close: t('COMMON.CLOSE'),
      required: t('COMMON.REQUIRED'),
      copied: t('COMMON.COPIED'),
      copyFailed: t('COMMON.COPY_FAILED'),
      loss: (loss, part) => t(`COMMON.LOSS.${catalogueKey(loss)}.${catalogueKey(part)}`),
    }),
    [t],
  );
  return <UsualWordsContext value={words}>{children}</UsualWordsContext>;
}

/** Times, numbers and lists in the person's language and zone (LOOK-3). */
function PersonalFormats({ children }: { children: ReactNode }) {
  const { language } = useTranslation().i18n;
  const user = useCurrentUser();
  const locale = user?.locale ?? null;
  const timeZone = user?.timeZone ?? null;
  const formats = useMemo(() => {
    // A language alone does not include the region, which the browser knows.
    const region = locale?.includes('-') === true ? [locale] : [];
    const preferred = [...region, ...navigator.languages];
    return createFormats(regionalLocale(language, preferred), presentTimeZone(timeZone ?? ownTimeZone()));
  }, [language, locale, timeZone]);
  return <ProvideFormats value={formats}>{children}</ProvideFormats>;
}

/**
 * While the maintenance page covers the application, the address bar shows the address of the maintenance page, and
 * the screen below stays where it is (MAINT-3): the router changes only the address that it shows, not its own
 * location. A reload then gets the maintenance page from the server, which knows by `from` where to return to.
 */
function useCoveredAddress(router: AppRouter, covered: boolean): void {
  useEffect(() => {
    if (!covered) return undefined;
    const show = (mask: { to: string; search: { from: string } } | null) => {
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        // The router ignores a change of the shown address alone, so its state changes too.
        state: (state) => ({ ...state, covered: mask !== null }),
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
        ...(mask === null ? {} : { mask }),
      } as Parameters<AppRouter['navigate']>[0]);
    };
    // "Back" leads to a screen and shows the address of that screen, so the address is replaced again.
    const cover = () => {
      const { href, maskedLocation } = router.latestLocation;
      if (maskedLocation === undefined) show({ to: maintenancePath, search: { from: base + href } });
    };
    cover();
    const stop = router.subscribe('onRendered', cover);
    return () => {
      stop();
      show(null);
    };
  }, [router, covered]);
}

/** Restores focus and scroll position once the screen is no longer covered. */
function useRestoredPosition(covered: boolean): void {
  const place = useRef<{ top: number; focused: Element | null }>({ top: 0, focused: null });
  useLayoutEffect(() => {
    if (covered) return undefined;
    const { top, focused } = place.current;
    const back = requestAnimationFrame(() => {
      if (top > 0) window.scrollTo(0, top);
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
    });
    // A covered page is short and loses its scroll position.
    const remember = () => {
      place.current.top = window.scrollY;
    };
    place.current = { top: window.scrollY, focused: null };
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      cancelAnimationFrame(back);
      window.removeEventListener('scroll', remember);
      place.current.focused = document.activeElement;
    };
  }, [covered]);
}

/** In its children the SDK's hooks (`useFeatureIsOn`, `useFeatureValue`, …) follow every change of the flags. */
function FlagsProvider({ flags, children }: { flags: Flags; children: ReactNode }) {
  const state = useStore(flags.state);
  // A new object for each state: the SDK's hooks evaluate when their component renders, and the new object makes
  // the component render.
  const value = useMemo(() => ({ growthbook: flags.growthbook, state }), [flags, state]);
  return <GrowthBookContext.Provider value={value}>{children}</GrowthBookContext.Provider>;
}
