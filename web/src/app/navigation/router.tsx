import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Texts } from '../../platform/i18n/i18n.ts';
import { parseSearch, stringifySearch } from './address-search.ts';
import { GuardedScreen } from '../screens/guarded-screen.tsx';
import type { Screen } from '../../feature.ts';
import { HomeScreen } from '#features/home/web/home-screen.tsx';
import { lazyScreen } from '../screens/lazy-screen.tsx';
import { ErrorPage, NotFound } from '../screens/pages.tsx';
import { base } from '../../platform/base.ts';

/** The routes of the list of screens, inside a frame. Nothing is loaded before `router.load()`. */
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
