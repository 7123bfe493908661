import type { Boot } from '#contract/boot.ts';
import { createLiveEvents, readEventsMessage } from '#features/events/web/live-events.ts';
import { createReportNews, readNewsMessage } from '#features/feedback/web/member/report-news.ts';
import { attributesOf } from '#features/flags/web/attributes.ts';
import { createFlags } from '#features/flags/web/flags.ts';
import { readPayloadMessage } from '#features/flags/web/payload-exchange.ts';
import { createPermissions, readPermissionsMessage } from '#features/permissions/web/permissions.ts';
import { readReadMessage } from '#features/permissions/web/rights-change.ts';
import { createLanguageChoice } from '#features/profile/web/language-choice.ts';
import { createOwnProfile, readProfileMessage } from '#features/profile/web/profile.ts';
import { createSession } from '#features/session/web/session.ts';
import { readSessionMessage } from '#features/session/web/session-messages.ts';
import { readTabWorkMessage } from '#features/session/web/sign-out/tab-work-message.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { createApi } from '../platform/calls/call.ts';
import { createFileAddresses } from '../platform/files/file-addresses.ts';
import { savedLanguage, saveLanguage } from '../platform/i18n/language.ts';
import { startFaults } from '../platform/faults/start-faults.ts';
import { createStoredWork, onPageLeaving } from '../platform/forms/stored-work.ts';
import { readTabsMessage, watchOpenTabs } from '../platform/tabs/open-tabs.ts';
import { createStore, derive } from '../platform/state/store.ts';
import { unsavedWork } from '../platform/forms/unsaved-work.ts';
import { recordBreadcrumbs } from './breadcrumbs.ts';
import { browserOf, pageMoves } from './browser.ts';
import { composeMaintenance } from './compose-maintenance.ts';
import { placeName } from './navigation/place-name.ts';
import { composeReportBug } from './report-bug/compose-report-bug.ts';
import { createSigningOut } from './sign-out/sign-out.ts';

export type PageParts = ReturnType<typeof composePage>;

/**
 * Creates the parts that run as long as the page is open: session, profile, rights, flags, maintenance.
 *
 * @param address path, query and fragment of the screen, also while the maintenance page covers it
 * @param screen the path of the screen, or of that at another path, parameters by their names
 */
export function composePage(boot: Boot, address: () => string, screen: (path?: string) => string) {
  const browser = browserOf(boot, screen);
  const { errors } = browser;
  const page = pageMoves(address);
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
    timeOffset: () => profile.timeOffset(),
  });
  api.onProblem((problem, call) => errors.recordCall(call, problem));

  const session = createSession({
    ...browser,
    api,
    broadcast: openBroadcast(browserChannel, 'session', readSessionMessage),
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
    broadcast: openBroadcast(browserChannel, 'open-tabs', readTabsMessage),
    unsaved,
  });
  const live = createLiveEvents({
    ...browser,
    api,
    firstId: boot.eventId,
    person,
    broadcast: openBroadcast(browserChannel, 'events', readEventsMessage),
    openTabs,
    loadSource: async () => (await import('../platform/live/event-source.ts')).createEventSource,
  });
  live.on('session-ended', ({ reason }) => session.publishedEnded(reason));
  const reportNews = createReportNews({
    ...browser,
    person,
    broadcast: openBroadcast(browserChannel, 'report-news', readNewsMessage),
    live: {
      onReport: (listener) => live.on('report', listener),
      onGone: (listener) => live.on('reports-gone', listener),
    },
  });

  const profile = createOwnProfile({
    ...browser,
    api,
    person,
    broadcast: openBroadcast(browserChannel, 'profile', readProfileMessage),
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
    broadcast: openBroadcast(browserChannel, 'flags', readPayloadMessage),
  });

  const permissions = createPermissions({
    ...browser,
    api,
    person,
    broadcast: openBroadcast(browserChannel, 'permissions', readPermissionsMessage),
    reads: openBroadcast(browserChannel, 'rights-read', readReadMessage),
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
    broadcast: openBroadcast(browserChannel, 'tab-work', readTabWorkMessage),
    person,
    openTabs,
    isCounted: () => unsaved.get() > 0,
  });

  return {
    signingOut,
    api,
    errors,
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
