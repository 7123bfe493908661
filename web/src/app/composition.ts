import type { Boot } from '#contract/boot.ts';
import type { Breadcrumb, FailedCall } from '#features/feedback/contract/feedback.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import { type LiveEvents, createLiveEvents, eventsMessage } from '#features/events/web/live-events.ts';
import { createReportNews, newsMessage } from '#features/feedback/web/member/report-news.ts';
import { attributesOf, createFlags, type Flags, payloadMessage } from '#features/flags/web/flags.ts';
import { createBannerVisibility, closedMessage } from '#features/maintenance/web/banner-visibility.ts';
import { createMaintenance } from '#features/maintenance/web/member/maintenance.ts';
import { statusMessage, statusTopic } from '#features/maintenance/web/live-status.ts';
import {
  type Permissions,
  createPermissions,
  permissionsMessage,
} from '#features/permissions/web/permissions.ts';
import { readMessage } from '#features/permissions/web/rights-change.ts';
import { createLanguageChoice } from '#features/profile/web/language-choice.ts';
import { createProof } from '#features/identity-provider/web/factors/proof.ts';
import { createOwnProfile, profileMessage } from '#features/profile/web/profile.ts';
import { createSession } from '#features/session/web/session.ts';
import { sessionMessage } from '#features/session/web/session-ends.ts';
import { tabWorkMessage } from '#features/session/web/sign-out/tab-work-message.ts';
import type { Recorder } from '../platform/record/recorder.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { type Api, createApi } from '../platform/calls/call.ts';
import { createFileAddresses } from '../platform/files/file-addresses.ts';
import { savedLanguage, saveLanguage } from '../platform/i18n/language.ts';
import { createStoredWork, onPageLeaving } from '../platform/forms/stored-work.ts';
import { createBrowserSessionMemory } from '../platform/tabs/browser-session-memory.ts';
import { tabsMessage, watchOpenTabs } from '../platform/tabs/open-tabs.ts';
import { type Readable, type Store, createStore, derive, watch } from '../platform/state/store.ts';
import { unsavedWork } from '../platform/forms/unsaved-work.ts';
import { type Browser, browserOf, pageMoves } from './browser.ts';
import { composeReportBug } from './report-bug/compose-report-bug.ts';
import { createSigningOut, placeName } from './sign-out/sign-out.ts';
import type { FaultDependencies } from '../platform/faults/fault-gate.ts';
import { bufferFailedCalls } from '../platform/faults/buffered-calls.ts';

export type PageParts = ReturnType<typeof composePage>;

/**
 * Creates the parts that run as long as the page is open: session, profile, rights, flags, maintenance.
 *
 * @param address returns path, query and fragment of the screen, also while the maintenance page covers it
 * @param screen returns the path of the screen (with `path`: of the screen at that path), parameters by their names
 */
export function composePage(boot: Boot, address: () => string, screen: (path?: string) => string) {
  const browser = browserOf(boot, screen);
  const { errors } = browser;
  const page = pageMoves(address);
  const proof = createProof();
  const api = createApi({
    fetch: browser.fetch,
    // After an update of the server this page's scripts may be gone; the call is then sent without progress.
    sendCounted: (to, request) =>
      import('../platform/calls/counted-request.ts').then(
        ({ browserSendCounted }) => browserSendCounted(to, request),
        () => browser.fetch(to, request),
      ),
    bearer: {
      token: () => session.bearer.token(),
      renewed: (refused) => session.bearer.renewed(refused),
    },
    prove: proof.ask,
    timeOffset: () => profile.timeOffset(),
  });
  api.onProblem((problem, call) => errors.recordCall(call, problem));

  const session = createSession({
    ...browser,
    api,
    broadcast: openBroadcast(browserChannel, 'session', sessionMessage),
    page: {
      ...page,
      stays: () => maintenance.state.get().on,
    },
    geoserverDevelopUrl: boot.geoserverDevelopUrl,
  });
  const { person } = session;
  const storedWork = createStoredWork({
    ...browser,
    place: () => ({ what: placeName(), address: address() }),
    session: session.state,
    onLeaving: (listener) => onPageLeaving(window, document, listener),
  });

  const unsaved = createStore(unsavedWork.get());
  const openTabs = watchOpenTabs({
    ...browser,
    broadcast: openBroadcast(browserChannel, 'open-tabs', tabsMessage),
    unsaved,
  });
  const live = createLiveEvents({
    ...browser,
    api,
    firstId: boot.eventId,
    person,
    broadcast: openBroadcast(browserChannel, 'events', eventsMessage),
    openTabs,
    loadSource: async () => (await import('./at-rest.ts')).atRest.createEventSource,
  });
  live.on('session-ended', ({ reason }) => session.publishedEnded(reason));
  const reportNews = createReportNews({
    ...browser,
    person,
    broadcast: openBroadcast(browserChannel, 'report-news', newsMessage),
    live: {
      onReport: (listener) => live.on('report', listener),
      onGone: (listener) => live.on('reports-gone', listener),
    },
  });

  const profile = createOwnProfile({
    ...browser,
    api,
    person,
    broadcast: openBroadcast(browserChannel, 'profile', profileMessage),
    live: { onProfile: (listener) => live.on('profile', listener) },
  });
  const languageChoice = createLanguageChoice({
    profile,
    person,
    memory: { read: savedLanguage, save: saveLanguage },
  });
  const fileAddresses = createFileAddresses({
    ...browser,
    api,
    person,
    urls: URL,
    isPaused: () => maintenance.returning.get(),
  });

  const flags = createFlags({
    ...browser,
    flags: boot.flags,
    origin: window.location.origin,
    openEventSource: (stream) => new EventSource(stream),
    bearer: session.bearer,
    person,
    enabled: derive([session.state], ({ status }) => status === 'signed-in' || status === 'signed-out'),
    attributes: derive([profile.currentUser], (user) =>
      attributesOf(user, { url: window.location.href, release: boot.release }),
    ),
    broadcast: openBroadcast(browserChannel, 'flags', payloadMessage),
  });

  const permissions = createPermissions({
    ...browser,
    api,
    person,
    broadcast: openBroadcast(browserChannel, 'permissions', permissionsMessage),
    reads: openBroadcast(browserChannel, 'rights-read', readMessage),
    live: { onRights: (listener) => live.on('rights', ({ within }) => listener(within)) },
    localFlags: boot.localFlags,
    features: derive([flags.state], (state) => state.features),
  });

  const breadcrumbs = recordBreadcrumbs(window, {
    screenAt: screen,
    currentUser: profile.currentUser,
    failedCalls: errors.failedCalls,
  });
  startFaults({ ...browser, ...profile, boot, api, screen, breadcrumbs });

  const parts = { boot, browser, api, session, live, profile, flags, permissions };
  const { maintenance, banner } = composeMaintenance({ ...parts, unsaved });
  const reportBug = composeReportBug({ ...parts, address, breadcrumbs });
  const signingOut = createSigningOut({
    ...browser,
    api,
    session,
    storedWork,
    reportBug,
    page,
    broadcast: openBroadcast(browserChannel, 'tab-work', tabWorkMessage),
    person,
    openTabs,
    isCounted: () => unsaved.get() > 0,
  });

  return {
    signingOut,
    api,
    errors,
    proof,
    breadcrumbs,
    serverClock: browser.serverClock,
    signInPlace: { outsideProvider: boot.outsideProvider },
    session,
    live,
    reportNews,
    storedWork,
    profile,
    languageChoice,
    fileAddresses,
    flags,
    permissions,
    maintenance,
    banner,
    reportBug,
  };
}

type BreadcrumbsParts = {
  screenAt: (path: string) => string;
  currentUser: Readable<Profile | null>;
  failedCalls: Readable<readonly FailedCall[]>;
};

/**
 * Returns the last steps of the person in this page, in the order of time. The recorder is downloaded after the
 * first paint; until then the list holds the failed calls.
 */
function recordBreadcrumbs(window: Window, parts: BreadcrumbsParts): () => readonly Breadcrumb[] {
  let recorder: Recorder | null = null;
  const load = () =>
    void import('./at-rest.ts').then(
      ({ atRest }) => (recorder = atRest.startLazyRecorder(parts)),
      // Without the recorder the list still holds the failed calls.
      () => undefined,
    );
  // Safari has no idle callback.
  const whenIdle = () => setTimeout(load, 500);
  if (window.document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
  return () =>
    recorder?.breadcrumbs() ?? parts.failedCalls.get().map((call) => ({ kind: 'call' as const, ...call }));
}

type MaintenanceParts = {
  boot: Boot;
  browser: Browser;
  api: Api;
  live: LiveEvents;
  flags: Flags;
  permissions: Permissions;
  /** Receives the number of places that hold unsaved work. */
  unsaved: Store<number>;
};

/** Creates maintenance and its banner, and counts unsaved work while the maintenance page does not cover it. */
function composeMaintenance({ boot, browser, api, live, flags, permissions, unsaved }: MaintenanceParts) {
  const maintenance = createMaintenance({
    ...browser,
    boot: boot.maintenance,
    api,
    broadcast: openBroadcast(browserChannel, statusTopic, statusMessage),
    live: {
      onStatus: (listener) => live.on('maintenance', ({ status }) => listener(status)),
      connected: live.connected,
    },
    flags,
    rights: {
      can: permissions.can,
      known: derive([permissions.state], ({ status }) => status !== 'pending'),
    },
  });
  // Forms behind the maintenance page are inactive and report no unsaved work, though they still hold what was
  // typed: the last count stays.
  watch(
    derive([unsavedWork, maintenance.gate], (places, gate) => (gate === 'page' ? null : places)),
    (places) => {
      if (places !== null) unsaved.set(places);
    },
  );
  const banner = createBannerVisibility({
    shown: maintenance.state,
    near: derive([maintenance.approach], (near) => near !== null),
    memory: createBrowserSessionMemory(document, window.location),
    broadcast: openBroadcast(browserChannel, 'notice', closedMessage),
    presence: browser.presence,
  });
  return { maintenance, banner };
}

/**
 * Reports the errors of this page to the server, or where the installation's settings say (DIAG-1). The code
 * that sends them is loaded when the page is shown and the browser idle; until then errors are buffered.
 */
function startFaults(dependencies: FaultDependencies): void {
  const { faults } = dependencies.boot;
  if (faults === null) return;
  const held = bufferFailedCalls(dependencies.api, dependencies.clock.now, dependencies.screen);
  const load = () =>
    void import('../platform/faults/send-faults.ts').then(
      ({ sendFaults }) => sendFaults({ ...dependencies, faults, held, window }),
      // The code that reports errors is what failed to load, so nothing can report this error.
      () => undefined,
    );
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(load, { timeout: 5_000 }) : setTimeout(load, 1_000);
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
