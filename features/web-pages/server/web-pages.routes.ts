import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Boot } from '#contract/boot.ts';
import { maintenancePath, textFor } from '#features/maintenance/contract/maintenance.ts';
import {
  applicationPage,
  invitationPage,
  maintenancePage,
  setUpPage,
  proofEndedPage,
  signInFailedPage,
  signInPage,
} from '#contract/pages.ts';
import type { Hosts } from '#server/platform/http/hosts.ts';
import type { StoragePage } from '#server/platform/http/http-server.ts';
import {
  asksForPage,
  languageOf,
  type Language,
  type PageRendering,
  type Pages,
} from '#server/platform/http/page.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import type { BootSource } from './boot.ts';

export type WebPagesOptions = {
  pages: Pages;
  boot: BootSource;
  /** For pages of people who are signed in. */
  localFlags: string[];
  basePath: string;
  publicUrl: string;
  hosts: Hosts;
  /** Whole seconds after which a page that is closed may be asked for again. */
  retryAfter(): number;
  /** Throws SESSION_ENDED or PERSON_BLOCKED. */
  identifySession(cookieHeader: string | undefined): Promise<Caller>;
  /** Throws while the storage does not work. */
  storageAnswers(): Promise<void>;
  /** True until there is a first operator: the set-up page answers then only (START-6). */
  setUpIsOpen(): Promise<boolean>;
  /** What people call the provider that they sign in at; null: the embedded one. */
  outsideProvider: string | null;
  /** A path of our own origin, or `/` (SES-1). */
  safeReturnTo(wanted: string | undefined): string;
};

/** First parts of paths that are never a screen: what is not found there is a problem, not a page. */
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
export function webPagesRoutes(serve: Serve, options: WebPagesOptions): void {
  const { pages, boot, basePath } = options;

  function send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
    return pages.send(reply, name, boot(languageOf(request)));
  }

  /**
   * Portico's own screens are at PUBLIC_URL alone: what is at the host of an application shares its origin with it.
   * True where the browser was sent there.
   */
  function sentToOwnHost(request: FastifyRequest, reply: FastifyReply): boolean {
    if (options.hosts.otherOfRequest(request.raw) === null) return false;
    void reply.header('cache-control', 'no-store').redirect(`${options.publicUrl}${request.url}`, 303);
    return true;
  }

  /** Before the first operator; an outside provider has its own accounts. */
  async function hasNoAccountYet(): Promise<boolean> {
    return options.outsideProvider === null && (await options.setUpIsOpen());
  }

  serve(signInPage, async ({ request, reply }) => {
    if (sentToOwnHost(request, reply)) return;
    await options.storageAnswers();
    if (options.outsideProvider === null) send(request, reply, 'sign-in');
    else reply.callNotFound();
  });
  serve(signInFailedPage, ({ request, reply }) => void send(request, reply, 'sign-in'));
  serve(proofEndedPage, ({ request, reply }) => void send(request, reply, 'sign-in'));
  serve(invitationPage, async ({ request, reply }) => {
    if (sentToOwnHost(request, reply)) return;
    await options.storageAnswers();
    if (options.outsideProvider === null) send(request, reply, 'invitation');
    else reply.callNotFound();
  });
  serve(setUpPage, async ({ request, reply }) => {
    if (sentToOwnHost(request, reply)) return;
    const open = await options.setUpIsOpen();
    pages.send(reply, 'set-up', boot(languageOf(request)), {
      status: open ? 200 : 404,
      slots: { claimed: open ? null : '', provider: options.outsideProvider },
    });
  });

  serve(maintenancePage, ({ query, request, reply }) => {
    const language = languageOf(request);
    const state = boot(language);
    if (state.maintenance.mode !== 'full') {
      void reply.header('cache-control', 'no-store').redirect(options.safeReturnTo(query.from), 303);
      return;
    }
    pages.send(reply, `maintenance.${language}`, state, closedRendering(state, options.retryAfter()));
  });

  serve(applicationPage, async ({ request, reply }) => {
    if (!isScreen(request)) {
      reply.callNotFound();
      return;
    }
    if (sentToOwnHost(request, reply)) return;
    const state = boot(languageOf(request));
    const isClosed = state.maintenance.mode === 'full';
    const signedIn = await options
      .identifySession(request.headers.cookie)
      // Maintenance may take the database away: its notice is more useful than a failure page.
      .catch((error: unknown) => (isClosed ? null : nullUnlessStorageFailed(error)));
    // A health check takes 200 for good, and a redirect for trouble.
    const isProbe = request.url === '/' && !asksForPage(request) && !isClosed;
    if (signedIn !== null || isProbe) {
      pages.send(reply, 'index', signedIn === null ? state : { ...state, localFlags: options.localFlags });
      return;
    }
    if (!isClosed) await options.storageAnswers();
    const here = encodeURIComponent(`${basePath}${request.url}`);
    const next = isClosed
      ? `${maintenancePath}?from=${here}`
      : (await hasNoAccountYet())
        ? setUpPage.path
        : `/auth/login?returnTo=${here}`;
    void reply.header('cache-control', 'no-store').redirect(`${basePath}${next}`, 303);
  });
}

/** The maintenance page as the answer to what was asked for: crawlers and caches must not keep it. */
export function closedRendering(
  { maintenance, serverTime, language }: Boot,
  retryAfter: number,
): PageRendering {
  const { expectedEnd } = maintenance;
  const text = textFor(maintenance, language);
  return {
    status: 503,
    headers: { 'retry-after': String(retryAfter) },
    slots: {
      notice: text === '' ? null : text,
      // An expected end that has passed is shown as unknown.
      'expected-end': expectedEnd === null || expectedEnd <= serverTime ? null : inUtc(expectedEnd, language),
    },
  };
}

/** Without a script a browser asks again after so many seconds: not all of them at once. */
const againSeconds = { least: 20, spread: 40 };

/** What a browser shows while the storage does not work; made from memory alone. */
export function createStoragePage({
  pages,
  boot,
  basePath,
}: Pick<WebPagesOptions, 'pages' | 'boot' | 'basePath'>): StoragePage {
  return (request, reply, retryAfter) => {
    const language = languageOf(request);
    const again = againSeconds.least + Math.floor(Math.random() * againSeconds.spread);
    return pages.send(reply, `unavailable.${language}`, boot(language), {
      status: 503,
      headers: { 'retry-after': String(retryAfter) },
      slots: {
        // What a form has sent is not sent again by asking for its address.
        again: request.method === 'GET' || request.method === 'HEAD' ? '' : `${basePath}/`,
        refresh: request.method === 'GET' ? String(again) : null,
        reference: request.id,
      },
    });
  };
}

function isScreen(request: FastifyRequest): boolean {
  const first = request.url.split(/[/?#]/, 2)[1] ?? '';
  return !notScreens.has(first) && (asksForPage(request) || takesAnything(request));
}

/**
 * curl, health checks, link previews. A script in a page sends `Sec-Fetch-Mode`, and gets a problem document
 * for what is not there.
 */
function takesAnything({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '*/*').startsWith('*/*') && headers['sec-fetch-mode'] === undefined;
}

function inUtc(at: number, language: Language): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
}
