import type { PresenceOfBrowser } from '#features/presence/contract/presence.ts';
import type { Core } from '#server/core.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import { type Presence, presenceInRows } from './presence-in-rows.ts';

/** A single process keeps its connections in memory; several write them to the database, where each can count all. */
export async function createPresence({ database, logger }: Core): Promise<Presence> {
  if (database.engine === 'sqlite') return presenceInMemory();
  return presenceInRows({ database, logger, secret: await installationSecret(database, 'presence') });
}

/** Presence for an installation with a single process, which holds the data folder. */
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
