import type { Presence as Counted, PresenceOfBrowser } from '@portico/contract/presence';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { installationSecret } from '../../platform/setting.ts';
import { presenceInMemory } from './presence-in-memory.ts';
import { presenceInRows } from './presence-in-rows.ts';

/** How many people and tabs are connected. No names, and nothing is kept of who was. */
export type Presence = {
  opened(connection: { connectionId: string; personId: string } & PresenceOfBrowser): void;
  closed(connectionId: string): void;
  /** Answers false where this person has no such connection, here or at another replica. */
  tell(connectionId: string, personId: string, browser: PresenceOfBrowser): Promise<boolean>;
  count(): Promise<Counted>;
  /** Nobody is connected here any more. */
  close(): Promise<void>;
};

/** One process alone remembers its connections; several write them where each of them can count. */
export async function createPresence(parts: { database: Database; logger: Logger }): Promise<Presence> {
  if (parts.database.engine === 'sqlite') return presenceInMemory();
  return presenceInRows({ ...parts, secret: await installationSecret(parts.database, 'presence') });
}
