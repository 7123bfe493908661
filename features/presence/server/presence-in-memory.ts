import type { PresenceOfBrowser } from '#features/presence/contract/presence.ts';
import type { Presence } from './counter.ts';

/** For the one process that holds a data folder. */
export function presenceInMemory(): Presence {
  const browsers = new Map<string, { personId: string } & PresenceOfBrowser>();
  return {
    opened: ({ connectionId, ...browser }) => browsers.set(connectionId, browser),
    closed: (connectionId) => browsers.delete(connectionId),
    publish(connectionId, personId, browser) {
      const known = browsers.get(connectionId)?.personId === personId;
      if (known) browsers.set(connectionId, { personId, ...browser });
      return Promise.resolve(known);
    },
    count() {
      const people = new Set<string>();
      let [tabs, unsaved] = [0, 0];
      for (const browser of browsers.values()) {
        people.add(browser.personId);
        tabs += browser.tabs;
        unsaved += browser.unsaved;
      }
      return Promise.resolve({ people: people.size, tabs, unsaved });
    },
    peopleConnected: (most) =>
      Promise.resolve([...new Set([...browsers.values()].map(({ personId }) => personId))].slice(0, most)),
    close() {
      browsers.clear();
      return Promise.resolve();
    },
  };
}
