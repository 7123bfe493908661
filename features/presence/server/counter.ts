import type { Presence as Counted, PresenceOfBrowser } from '#features/presence/contract/presence.ts';

/** Counts connected people and tabs. No names, and no history of people. */
export type Presence = {
  opened(connection: { connectionId: string; personId: string } & PresenceOfBrowser): void;
  closed(connectionId: string): void;
  /** Answers false where this person has no such connection, here or at another replica. */
  publish(connectionId: string, personId: string, browser: PresenceOfBrowser): Promise<boolean>;
  count(): Promise<Counted>;
  /** The ids of people who are connected now, to any process; at most `most`, those to this one first. */
  peopleConnected(most: number): Promise<string[]>;
  /** This process ends: its connections count no more. */
  close(): Promise<void>;
};
