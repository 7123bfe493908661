import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { Activity, type ReactNode, useCallback, useMemo } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { ReportNewsNotice } from '../features/feedback/member/report-news-notice.tsx';
import { FlagsProvider } from '../features/flags/flags-provider.tsx';
import { MaintenanceScreen } from '../features/maintenance/member/maintenance-screen.tsx';
import { SavePrompt } from '../features/maintenance/member/save-prompt.tsx';
import { RightsWarning } from '../features/permissions/rights-warning.tsx';
import {
  ProvideApi,
  ProvideCan,
  ProvideCurrentUser,
  ProvideServerClock,
  ProvideSession,
  ProvideSignInPlace,
  useCurrentUser,
} from '../platform/contexts.tsx';
import { KeptWorkContext } from '../platform/kept-work.ts';
import { ProvideFileAddresses } from '../platform/files.tsx';
import { ProvideFormats } from '../platform/i18n/formats-context.tsx';
import { createFormats, ownTimeZone, regionalLocale } from '../platform/i18n/formats.ts';
import type { Texts } from '../platform/i18n/i18n.ts';
import type { Readable } from '../platform/store.ts';
import { useStore } from '../platform/use-store.ts';
import { NotificationStack } from '../ui/notifications/notification-stack.tsx';
import { useCoveredAddress, useKeptPlace } from './covered-address.ts';
import { ProvideHouse, useHouse } from './house.tsx';
import { ErrorPage } from './pages.tsx';
import type { LatePart } from './catalogue.ts';
import type { AppRouter } from './router.tsx';
import type { Screen } from './screens.ts';
import type { PageParts } from './composition.ts';
import { SessionGate } from './session-gate.tsx';
import { Shell } from './shell.tsx';

type AppProps = {
  page: PageParts;
  texts: Texts<LatePart>;
  screens: readonly Screen[];
  router: AppRouter;
  /** Everything is known that decides what the person sees. */
  ready: Readable<boolean>;
};

/** The application: the screens, or the maintenance page over them, with warnings and notifications above both. */
export function App({ page, texts, screens, router, ready }: AppProps) {
  const { maintenance, permissions } = page;
  const house = useMemo(() => ({ ...page, screens, texts }), [page, screens, texts]);
  const covered = useStore(maintenance.gate) === 'page';
  const change = useStore(permissions.change);
  const loadReportTexts = useCallback(() => texts.add('feedback/member'), [texts]);
  const showReport = useCallback(
    (report: string) => void router.navigate({ to: '/my-reports', search: { report } }),
    [router],
  );
  useCoveredAddress(router, covered);
  return (
    <Providers page={page} texts={texts}>
      <ProvideHouse house={house}>
        <CatchBoundary getResetKey={() => 0} errorComponent={ErrorPage}>
          <SessionGate ready={ready} covered={covered}>
            <RouterProvider router={router} />
          </SessionGate>
          {covered ? <MaintenanceScreen maintenance={maintenance} /> : null}
        </CatchBoundary>
        <RightsWarning change={change} onClose={permissions.acknowledge} onReload={reload} />
        <ReportNewsNotice news={page.reportNews} loadTexts={loadReportTexts} onShow={showReport} />
        <SavePrompt maintenance={maintenance} />
        <Notifications />
      </ProvideHouse>
    </Providers>
  );
}

const reload = () => window.location.reload();

/** The frame of every screen, which stays as it is while the maintenance page covers it (MAINT-3). */
export function Frame() {
  const { maintenance } = useHouse();
  const covered = useStore(maintenance.gate) === 'page';
  useKeptPlace(covered);
  return (
    <Activity mode={covered ? 'hidden' : 'visible'}>
      <Shell />
    </Activity>
  );
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
                      <KeptWorkContext value={page.keptWork}>
                        <PersonalFormats>{children}</PersonalFormats>
                      </KeptWorkContext>
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

/** Times, numbers and lists in the person's language and zone (LOOK-3). */
function PersonalFormats({ children }: { children: ReactNode }) {
  const { language } = useTranslation().i18n;
  const user = useCurrentUser();
  const locale = user?.locale ?? null;
  const timeZone = user?.timeZone ?? null;
  const formats = useMemo(() => {
    // A language alone says nothing of the region, which the browser knows.
    const region = locale?.includes('-') === true ? [locale] : [];
    const preferred = [...region, ...navigator.languages];
    return createFormats(regionalLocale(language, preferred), timeZone ?? ownTimeZone());
  }, [language, locale, timeZone]);
  return <ProvideFormats formats={formats}>{children}</ProvideFormats>;
}
