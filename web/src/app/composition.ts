import type { Boot } from '@portico/contract/boot';
import { createLiveEvents, readEventsMessage } from '../features/events/live-events.ts';
import { createReportNews, readNewsMessage } from '../features/feedback/member/report-news.ts';
import { attributesOf } from '../features/flags/attributes.ts';
import { createFlags } from '../features/flags/flags.ts';
import { readPayloadMessage } from '../features/flags/payload-exchange.ts';
import { createBannerVisibility } from '../features/maintenance/banner-visibility.ts';
import { createMaintenance } from '../features/maintenance/member/maintenance.ts';
import { readStatusMessage, statusTopic } from '../features/maintenance/status-message.ts';
import { createPermissions, readPermissionsMessage } from '../features/permissions/permissions.ts';
import { createLanguageChoice } from '../features/profile/language-choice.ts';
import { createOwnProfile, readProfileMessage } from '../features/profile/profile.ts';
import { createSession, readSessionMessage } from '../features/session/session.ts';
import { browserChannel, openBroadcast } from '../platform/broadcast.ts';
import { createApi } from '../platform/call.ts';
import { browserClock } from '../platform/clock.ts';
import { browserSendCounted } from '../platform/counted-request.ts';
import { createFileAddresses } from '../platform/file-addresses.ts';
import { savedLanguage, saveLanguage } from '../platform/i18n/language.ts';
import { createKeptWork, onPageLeaving } from '../platform/kept-work.ts';
import { readTabsMessage, watchOpenTabs } from '../platform/open-tabs.ts';
import { createErrorRecord } from '../platform/record-error.ts';
import { createServerClock, pageObservation } from '../platform/server-clock.ts';
import { createStore, derive, watch } from '../platform/store.ts';
import { electTabLeader, readLeaderMessage } from '../platform/tab-leader.ts';
import { createTabMemory } from '../platform/tab-memory.ts';
import { watchTabPresence } from '../platform/tab-presence.ts';
import { unsavedWork } from '../platform/unsaved-work.ts';
import { createReportBug } from './report-bug.ts';

export type PageParts = ReturnType<typeof composePage>;

/**
 * What runs while the page is open, put together once: the session, the profile, the rights, the flags, maintenance.
 *
 * @param address path, query and fragment of the screen, also while the maintenance page covers it
 */
export function composePage(boot: Boot, address: () => string) {
  const clock = browserClock;
  const { random } = Math;
  const send = window.fetch.bind(window);
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  const presence = watchTabPresence(window, document);
  const memory = createTabMemory(window);
  const errors = createErrorRecord(clock.now);
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
    page: {
      address,
      go: (to) => window.location.assign(to),
      reload: () => window.location.reload(),
      stays: () => maintenance.state.get().on,
    },
    geoserverDevelopUrl: boot.geoserverDevelopUrl,
  });
  const { person } = session;
  const keptWork = createKeptWork({
    memory,
    clock,
    session: session.state,
    onLeaving: (listener) => onPageLeaving(window, document, listener),
  });

  const unsaved = createStore(unsavedWork.get());
  const live = createLiveEvents({
    api,
    clock,
    serverClock,
    random,
    person,
    leader,
    presence,
    broadcast: openBroadcast(browserChannel, 'events', readEventsMessage),
    openTabs: watchOpenTabs({
      locks,
      broadcast: openBroadcast(browserChannel, 'open-tabs', readTabsMessage),
      clock,
      leader,
      unsaved,
      newId: () => crypto.randomUUID(),
    }),
    errors,
    loadSource: async () => (await import('../platform/event-source.ts')).holdEventSource,
  });
  live.on('session-ended', ({ reason }) => session.toldEnded(reason));
  const reportNews = createReportNews({
    clock,
    random,
    person,
    leader,
    presence,
    broadcast: openBroadcast(browserChannel, 'report-news', readNewsMessage),
    live: { onReport: (listener) => live.on('report', listener) },
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
  // Forms behind the maintenance page stand still and say nothing of themselves; what was typed into them is there all the same.
  watch(
    derive([unsavedWork, maintenance.gate], (places, gate) => (gate === 'page' ? null : places)),
    (places) => {
      if (places !== null) unsaved.set(places);
    },
  );
  const banner = createBannerVisibility(
    maintenance.state,
    derive([maintenance.approach], (near) => near !== null),
    memory,
  );
  const reportBug = createReportBug({
    session: session.state,
    memory,
    load: async (forgets) => {
      const { startFeedback } = await import('./late-report-bug.tsx');
      const { currentUser } = profile;
      const { release } = boot;
      return startFeedback({ api, clock, errors, person, currentUser, forgets, address, release });
    },
  });

  return {
    api,
    errors,
    serverClock,
    signInPlace: { outsideProvider: boot.outsideProvider },
    session,
    live,
    reportNews,
    keptWork,
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
