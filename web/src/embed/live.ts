import { flagValues } from '#features/embed/contract/embed.ts';
import { createLiveEvents, readEventsMessage } from '#features/events/web/live-events.ts';
import { createEventSource } from '../platform/live/event-source.ts';
import { watch } from '../platform/state/store.ts';
import { openBroadcast } from '../platform/tabs/broadcast.ts';
import { readTabsMessage, watchOpenTabs } from '../platform/tabs/open-tabs.ts';
import type { EmbedPage } from './page.ts';

/** Called when the page has been drawn: follows the live events of the person, in one of the tabs for all of them. */
export function followEvents(page: EmbedPage) {
  const { embedStatus, session } = page;
  const live = createLiveEvents({
    ...page,
    firstId: embedStatus.known.get()?.eventId ?? '',
    person: session.person,
    broadcast: openBroadcast(page.ownChannel, 'events', readEventsMessage),
    openTabs: watchOpenTabs({
      ...page,
      broadcast: openBroadcast(page.ownChannel, 'open-tabs', readTabsMessage),
    }),
    loadSource: () => Promise.resolve(createEventSource),
  });
  live.on('rights', ({ within }) => embedStatus.changed(within));
  live.on('profile', () => embedStatus.changed(0));
  live.on('changed', ({ list, within }) => {
    if (list === null || list === flagValues.list) embedStatus.changed(within);
  });
  live.on('maintenance', ({ status }) => embedStatus.pushed(status));
  live.on('report-form', () => page.reportForm.publish());
  live.on('session-ended', ({ reason }) => session.publishedEnded(reason));
  watch(live.connected, (connected) => page.connected.set(connected));
  return live;
}
