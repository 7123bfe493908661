import type { FastifyReply, FastifyRequest } from 'fastify';
import { maintenancePath } from '#features/maintenance/contract/maintenance.ts';
import * as contract from '#contract/pages.ts';
import { safeReturnTo } from '#features/session/server/return-to.ts';
import type { Core } from '#server/core.ts';
import { feature } from '#server/feature.ts';
import type { Ground } from '#server/ground.ts';
import { nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import { asksForPage, languageOf } from '#server/platform/http/page.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { closedRendering } from './web-pages.ts';

export const webPagesFeature = feature({
  create: (core, ground) => ({ routes: (serve) => webPagesRoutes(serve, core, ground) }),
});

/** First parts of paths that are never a screen: a missing path there gets a problem document, not a page. */
const notScreens = new Set([
  'api',
  'assets',
  'auth',
  'cookies',
  'geoserver',
  'healthz',
  'idp',
  'openapi.json',
  'readyz',
  'sub',
  'v1',
  'v2',
  '.well-known',
]);

/** The HTML pages, each rendered for the request that asks for it. */
function webPagesRoutes(
  serve: Serve,
  core: Core,
  { webPages, session, maintenance, identityProvider }: Ground,
): void {
  const { config, hosts, storageAnswers } = core;
  const { pages, boot, outsideProvider } = webPages;
  const { basePath } = config;
  const setUpIsOpen = identityProvider.setUp.isOpen;

  function send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
    return pages.send(reply, name, boot(languageOf(request)));
  }

  /**
   * Redirects from the host of an application to PUBLIC_URL, the only host of Portico's own screens: at another host
   * they would share an application's origin. Returns whether it redirected.
   */
  function sentToOwnHost(request: FastifyRequest, reply: FastifyReply): boolean {
    if (hosts.otherOfRequest(request.raw) === null) return false;
    void reply.header('cache-control', 'no-store').redirect(`${config.publicUrl}${request.url}`, 303);
    return true;
  }

  /** Whether there is no first operator yet; an outside provider has its own accounts. */
  async function hasNoAccountYet(): Promise<boolean> {
    return outsideProvider === null && (await setUpIsOpen());
  }

  serve(contract.signInPage, async ({ request, reply }) => {
    if (sentToOwnHost(request, reply)) return;
    await storageAnswers();
    if (outsideProvider === null) send(request, reply, 'sign-in');
    else reply.callNotFound();
  });
  serve(contract.signInFailedPage, ({ request, reply }) => void send(request, reply, 'sign-in'));
  serve(contract.proofEndedPage, ({ request, reply }) => void send(request, reply, 'sign-in'));
  serve(contract.invitationPage, async ({ request, reply }) => {
    if (sentToOwnHost(request, reply)) return;
    await storageAnswers();
    if (outsideProvider === null) send(request, reply, 'invitation');
    else reply.callNotFound();
  });
  serve(contract.setUpPage, async ({ request, reply }) => {
    if (sentToOwnHost(request, reply)) return;
    const open = await setUpIsOpen();
    pages.send(reply, 'set-up', boot(languageOf(request)), {
      status: open ? 200 : 404,
      slots: { claimed: open ? null : '', provider: outsideProvider },
    });
  });

  serve(contract.maintenancePage, ({ query, request, reply }) => {
    const language = languageOf(request);
    const state = boot(language);
    if (state.maintenance.mode !== 'full') {
      void reply
        .header('cache-control', 'no-store')
        .redirect(safeReturnTo(query.from, { ...config, most: Number.POSITIVE_INFINITY }), 303);
      return;
    }
    pages.send(
      reply,
      `maintenance.${language}`,
      state,
      closedRendering(state, maintenance.gate().retryAfter),
    );
  });

  serve(contract.applicationPage, async ({ request, reply }) => {
    if (!isScreen(request)) {
      reply.callNotFound();
      return;
    }
    if (sentToOwnHost(request, reply)) return;
    const state = boot(languageOf(request));
    const isClosed = state.maintenance.mode === 'full';
    const signedIn = await session
      .identifySession(request.headers.cookie)
      // The database may be down during maintenance: the notice is more useful than a failure page.
      .catch((error: unknown) => (isClosed ? null : nullUnlessStorageFailed(error)));
    // A health check treats 200 as healthy, and a redirect as a failure.
    const isProbe = request.url === '/' && !asksForPage(request) && !isClosed;
    if (signedIn !== null || isProbe) {
      pages.send(reply, 'index', signedIn === null ? state : { ...state, localFlags: config.localFlags });
      return;
    }
    if (!isClosed) await storageAnswers();
    const here = encodeURIComponent(`${basePath}${request.url}`);
    const next = isClosed
      ? `${maintenancePath}?from=${here}`
      : (await hasNoAccountYet())
        ? contract.setUpPage.path
        : `/auth/login?returnTo=${here}`;
    void reply.header('cache-control', 'no-store').redirect(`${basePath}${next}`, 303);
  });
}

function isScreen(request: FastifyRequest): boolean {
  const first = request.url.split(/[/?#]/, 2)[1] ?? '';
  return !notScreens.has(first) && (asksForPage(request) || takesAnything(request));
}

/**
 * Whether a client accepts any type, as curl, health checks and link previews do. A script in a page sends
 * `Sec-Fetch-Mode`, and gets a problem document for a missing path.
 */
function takesAnything({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '*/*').startsWith('*/*') && headers['sec-fetch-mode'] === undefined;
}
