import type { Boot } from '@portico/contract/boot';
import { createLiveEvents, readEventsMessage } from '../features/events/live-events.ts';
import { findWaiting } from '../features/feedback/draft-place.ts';
import { readFeedbackMessage } from '../features/feedback/feedback-message.ts';
import { createReportNews, readNewsMessage } from '../features/feedback/member/report-news.ts';
import { attributesOf } from '../features/flags/attributes.ts';
import { createFlags } from '../features/flags/flags.ts';
import { readPayloadMessage } from '../features/flags/payload-exchange.ts';
import { createBannerVisibility, readClosedMessage } from '../features/maintenance/banner-visibility.ts';
import { createMaintenance } from '../features/maintenance/member/maintenance.ts';
import { readStatusMessage, statusTopic } from '../features/maintenance/status-message.ts';
import { createPermissions, readPermissionsMessage } from '../features/permissions/permissions.ts';
import { createLanguageChoice } from '../features/profile/language-choice.ts';
import { createOwnProfile, readProfileMessage } from '../features/profile/profile.ts';
import { createSession } from '../features/session/session.ts';
import { readSessionMessage } from '../features/session/session-messages.ts';
import { readTabWorkMessage } from '../features/session/sign-out/tab-work-message.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { createBrowserSessionMemory } from '../platform/tabs/browser-session-memory.ts';
import { createApi } from '../platform/calls/call.ts';
import { browserClock } from '../platform/time/clock.ts';
import { browserSendCounted } from '../platform/calls/counted-request.ts';
import { newEventId } from '../platform/calls/event-id.ts';
import { createFileAddresses } from '../platform/files/file-addresses.ts';
import { savedLanguage, saveLanguage } from '../platform/i18n/language.ts';
import { createStoredWork, onPageLeaving } from '../platform/forms/stored-work.ts';
import { readTabsMessage, watchOpenTabs } from '../platform/tabs/open-tabs.ts';
import { createErrorRecord, watchUncaught } from '../platform/record-error.ts';
import { createServerClock, pageObservation } from '../platform/time/server-clock.ts';
import { createStore, derive, watch } from '../platform/state/store.ts';
import { electTabLeader, readLeaderMessage } from '../platform/tabs/tab-leader.ts';
import { createSharedMemory, createTabMemory } from '../platform/tabs/tab-memory.ts';
import { watchTabPresence } from '../platform/tabs/tab-presence.ts';
import { unsavedWork } from '../platform/forms/unsaved-work.ts';
import { placeName } from './navigation/place-name.ts';
import { createReportBug } from './report-bug/report-bug.ts';
import { createSigningOut } from './sign-out/sign-out.ts';

export type PageParts = ReturnType<typeof composePage>;

/**
 * Creates once, while the page opens, what runs as long as it is open: the session, the profile, the rights, the flags, maintenance.
 *
 * @param address path, query and fragment of the screen, also while the maintenance page covers it
 * @param screen the path of the screen, parameters by their names
 */
export function composePage(boot: Boot, address: () => string, screen: () => string) {
  const clock = browserClock;
  const { random } = Math;
  const send = window.fetch.bind(window);
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  const presence = watchTabPresence(window, document);
  const memory = createTabMemory(window);
  const shared = createSharedMemory(window);
  const newId = newEventId;
  const tab = newId();
  const errors = createErrorRecord(clock.now, screen);
  watchUncaught(window, errors);
  const serverClock = createServerClock(
    () => performance.now(),
    pageObservation(performance, boot.serverTime),
  );
  const leader = electTabLeader({
    locks,
    broadcast: openBroadcast(browserChannel, 'leader', readLeaderMessage),
    clock,
    presence,
  });

  const api = createApi({
    fetch: send,
    sendCounted: browserSendCounted,
    bearer: {
      token: () => session.bearer.token(),
      renewed: (refused) => session.bearer.renewed(refused),
    },
    timeOffset: () => profile.timeOffset(),
  });
  api.onProblem((problem, call) => errors.recordCall(call, problem));

  // In a new task: by then the forms that would ask before the page is left are unmounted.
  const page = {
    address,
    go: (to: string) => void setTimeout(() => window.location.assign(to)),
    reload: () => void setTimeout(() => window.location.reload()),
    startOver: () => void setTimeout(() => window.location.replace('/')),
  };
  const session = createSession({
    api,
    fetch: send,
    clock,
    serverClock,
    random,
    locks,
    broadcast: openBroadcast(browserChannel, 'session', readSessionMessage),
    presence,
    errors,
    memory,
    tab,
    page: {
      ...page,
      stays: () => maintenance.state.get().on,
    },
    geoserverDevelopUrl: boot.geoserverDevelopUrl,
  });
  const { person } = session;
  const storedWork = createStoredWork({
    memory,
    shared,
    place: () => ({ what: placeName(), address: address() }),
    clock,
    session: session.state,
    onLeaving: (listener) => onPageLeaving(window, document, listener),
  });

  const unsaved = createStore(unsavedWork.get());
  const openTabs = watchOpenTabs({
    locks,
    broadcast: openBroadcast(browserChannel, 'open-tabs', readTabsMessage),
    clock,
    leader,
    unsaved,
    newId,
  });
  const live = createLiveEvents({
    api,
    clock,
    firstId: boot.eventId,
    random,
    person,
    leader,
    presence,
    broadcast: openBroadcast(browserChannel, 'events', readEventsMessage),
    openTabs,
    errors,
    loadSource: async () => (await import('../platform/live/event-source.ts')).holdEventSource,
  });
  live.on('session-ended', ({ reason }) => session.publishedEnded(reason));
  const reportNews = createReportNews({
    clock,
    random,
    person,
    leader,
    presence,
    broadcast: openBroadcast(browserChannel, 'report-news', readNewsMessage),
    live: {
      onReport: (listener) => live.on('report', listener),
      onGone: (listener) => live.on('reports-gone', listener),
    },
  });

  const profile = createOwnProfile({
    api,
    clock,
    person,
    presence,
    broadcast: openBroadcast(browserChannel, 'profile', readProfileMessage),
    errors,
    live: { onProfile: (listener) => live.on('profile', listener) },
  });
  const languageChoice = createLanguageChoice({
    profile,
    person,
    memory: { read: savedLanguage, save: saveLanguage },
  });
  const fileAddresses = createFileAddresses({
    api,
    clock,
    person,
    presence,
    errors,
    urls: URL,
    holdsStill: () => maintenance.returning.get(),
  });

  const flags = createFlags({
    flags: boot.flags,
    origin: window.location.origin,
    fetch: send,
    openEventSource: (stream) => new EventSource(stream),
    clock,
    random,
    bearer: session.bearer,
    person,
    enabled: derive([session.state], ({ status }) => status === 'signed-in' || status === 'signed-out'),
    attributes: derive([profile.currentUser], (user) =>
      attributesOf(user, { url: window.location.href, release: boot.release }),
    ),
    leader,
    broadcast: openBroadcast(browserChannel, 'flags', readPayloadMessage),
    presence,
    errors,
  });

  const permissions = createPermissions({
    api,
    clock,
    random,
    person,
    leader,
    presence,
    broadcast: openBroadcast(browserChannel, 'permissions', readPermissionsMessage),
    errors,
    live: { onRights: (listener) => live.on('rights', ({ within }) => listener(within)) },
    localFlags: boot.localFlags,
    features: derive([flags.state], (state) => state.features),
  });

  const maintenance = createMaintenance({
    boot: boot.maintenance,
    api,
    clock,
    serverClock,
    random,
    leader,
    presence,
    broadcast: openBroadcast(browserChannel, statusTopic, readStatusMessage),
    memory,
    errors,
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
  // Forms behind the maintenance page are inactive and do not count as unsaved; what was typed is still in them.
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
    broadcast: openBroadcast(browserChannel, 'notice', readClosedMessage),
    presence,
  });
  const feedbackBroadcast = openBroadcast(browserChannel, 'feedback', readFeedbackMessage);
  const reportBug = createReportBug({
    session: session.state,
    memory,
    broadcast: feedbackBroadcast,
    findWaiting,
    errors,
    load: async (forgets) => {
      const { startFeedback } = await import('./report-bug/late-report-bug.tsx');
      const { currentUser } = profile;
      const facts = () => ({
        address: window.location.origin + address(),
        release: boot.release,
        errors: errors.recorded.get(),
        failedCalls: errors.failedCalls.get(),
        flags: Object.keys(flags.state.get().features)
          .toSorted()
          .map((key) => ({ key, value: flags.value<string | number | boolean | null>(key, null) })),
        rights: permissions.state.get().rights,
      });
      return startFeedback({
        api,
        clock,
        errors,
        person,
        currentUser,
        forgets,
        facts,
        broadcast: feedbackBroadcast,
        presence,
        locks,
        random,
        live: { onReportForm: (listener) => live.on('report-form', listener) },
      });
    },
  });

  const signingOut = createSigningOut({
    api,
    session,
    storedWork,
    reportBug,
    shared,
    page,
    tab,
    broadcast: openBroadcast(browserChannel, 'tab-work', readTabWorkMessage),
    clock,
    person,
    openTabs,
    isCounted: () => unsaved.get() > 0,
    newId,
  });

  return {
    signingOut,
    api,
    errors,
    serverClock,
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
