import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type RouteComponent,
  useLocation,
} from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Texts } from '../../platform/i18n/i18n.ts';
import { parseSearch, stringifySearch } from './address-search.ts';
import { mayUse, type Screen } from '../../feature.ts';
import { HomeScreen } from '#features/home/web/home-screen.tsx';
import { lazyScreen } from '../screens/lazy-screen.tsx';
import { ErrorPage, NoAccess, NotFound, UnknownAccess } from '../screens/pages.tsx';
import { base } from '../../platform/base.ts';
import { useCan } from '../../platform/contexts.tsx';
import { useStore } from '../../platform/state/use-store.ts';
import { Notice } from '../../ui/notice.tsx';
import { useApp } from '../app-context.tsx';
import { createEditing } from './editing.ts';

/** Creates the router: one route for each screen, inside a frame. Nothing is loaded before `router.load()`. */
export function createAppRouter(screens: readonly Screen[], texts: Texts, frame: () => ReactNode) {
  const root = createRootRoute({ component: frame, notFoundComponent: NotFound });
  const routes = screens.map((screen) =>
    createRoute({
      getParentRoute: () => root,
      path: screen.path,
      component: guarded(screen, texts),
    }),
  );
  const former = screens.flatMap(({ path, formerly }) =>
    formerly === undefined
      ? []
      : createRoute({
          getParentRoute: () => root,
          path: formerly,
          beforeLoad: () => redirect({ to: path, replace: true, throw: true }),
        }),
  );
  const router = createRouter({
    routeTree: root.addChildren([...routes, ...former]),
    basepath: base,
    defaultPreload: 'intent',
    defaultErrorComponent: ({ error }) => <ErrorPage error={error} reset={() => void router.invalidate()} />,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  });
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

function guarded(screen: Screen, texts: Texts): RouteComponent {
  const LazyScreen = lazyScreen(
    // The home screen is part of the first page.
    async () =>
      screen.path === '/' ? HomeScreen : (await import('../screens/lazy-screens.ts')).loadScreen(screen.file),
    screen.texts,
  );
  function Guarded() {
    return (
      <GuardedScreen screen={screen}>
        <LazyScreen />
      </GuardedScreen>
    );
  }
  return Object.assign(Guarded, { preload: () => LazyScreen.preload(texts) });
}

/**
 * Shows a screen to a person who may use it (RIGHT-8). When the right is withdrawn, the screen disappears at
 * once, unless the person is editing there: then it stays until they leave it (RIGHT-6).
 */
function GuardedScreen({ screen, children }: { screen: Screen; children: ReactNode }) {
  const { t } = useTranslation();
  const allowed = mayUse(screen, useCan());
  const rights = useOwnRights();
  const address = useLocation({ select: (location) => location.pathname });
  const [{ isEditing, watch }] = useState(createEditing);
  const [seen, setSeen] = useState({ address, allowed, lost: false, stays: false });

  if (seen.address !== address || seen.allowed !== allowed) {
    const lost = !allowed && seen.address === address && (seen.allowed || seen.lost);
    setSeen({ address, allowed, lost, stays: lost && (seen.stays || isEditing()) });
  }

  if (!allowed && !seen.stays)
    return rights.status === 'error' ? <UnknownAccess {...rights} /> : <NoAccess lost={seen.lost} />;
  return (
    <div ref={watch} data-width={screen.width}>
      {allowed ? null : (
        <div className="shell-right-lost">
          <Notice severity="medium" role="status" title={t('PAGES.NO_ACCESS.LOST_TITLE')}>
            {t('PAGES.NO_ACCESS.KEPT')}
          </Notice>
        </div>
      )}
      {children}
    </div>
  );
}

/** The rights of the signed-in person, their loading state, and how to load them again. */
function useOwnRights() {
  const { permissions } = useApp();
  const { status, rights } = useStore(permissions.state);
  const [loading, setLoading] = useState(false);
  const reload = () => {
    setLoading(true);
    void permissions.refresh().finally(() => setLoading(false));
  };
  return { status, rights, reload, loading };
}
