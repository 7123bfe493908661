import type { Boot } from '#contract/boot.ts';
import type { LiveEvents } from '#features/events/web/live-events.ts';
import type { Flags } from '#features/flags/web/flags.ts';
import { createBannerVisibility, readClosedMessage } from '#features/maintenance/web/banner-visibility.ts';
import { createMaintenance } from '#features/maintenance/web/member/maintenance.ts';
import { readStatusMessage, statusTopic } from '#features/maintenance/web/status-message.ts';
import type { Permissions } from '#features/permissions/web/permissions.ts';
import type { Api } from '../platform/calls/call.ts';
import { unsavedWork } from '../platform/forms/unsaved-work.ts';
import { derive, type Store, watch } from '../platform/state/store.ts';
import { browserChannel, openBroadcast } from '../platform/tabs/broadcast.ts';
import { createBrowserSessionMemory } from '../platform/tabs/browser-session-memory.ts';
import type { Browser } from './browser.ts';

type MaintenanceParts = {
  boot: Boot;
  browser: Browser;
  api: Api;
  live: LiveEvents;
  flags: Flags;
  permissions: Permissions;
  /** Set to how many places hold unsaved work. */
  unsaved: Store<number>;
};

/** Maintenance and its banner, and what it means for unsaved work. */
export function composeMaintenance({
  boot,
  browser,
  api,
  live,
  flags,
  permissions,
  unsaved,
}: MaintenanceParts) {
  const maintenance = createMaintenance({
    ...browser,
    boot: boot.maintenance,
    api,
    broadcast: openBroadcast(browserChannel, statusTopic, readStatusMessage),
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
  // Forms behind the maintenance page are inactive and do not count as unsaved; what was typed is still in
  // them.
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
    presence: browser.presence,
  });
  return { maintenance, banner };
}
