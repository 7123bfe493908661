import { createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GuardedScreen } from './guarded-screen.tsx';
import { lateScreen } from './late-screen.tsx';
import { ErrorPage, NotFound } from './pages.tsx';
import type { Screen } from './screens.ts';

/** The routes of the list of screens, inside a frame. Nothing is loaded before `router.load()`. */
export function createAppRouter(screens: readonly Screen[], frame: () => ReactNode) {
  const root = createRootRoute({ component: frame, notFoundComponent: NotFound });
  const routes = screens.map((screen) =>
    createRoute({
      getParentRoute: () => root,
      path: screen.path,
      component: guarded(screen),
    }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorPage,
    scrollRestoration: true,
    // Filters stand in the address as people would write them: ?search=ann, not ?search=%22ann%22.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

function guarded(screen: Screen): RouteComponent {
  const Late = lateScreen(screen.load);
  function Guarded() {
    return (
      <GuardedScreen screen={screen}>
        <Late />
      </GuardedScreen>
    );
  }
  return Object.assign(Guarded, { preload: Late.preload });
}
