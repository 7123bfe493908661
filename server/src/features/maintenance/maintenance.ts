import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { maintenanceAt, type MaintenanceNow, type MaintenanceState } from './maintenance-at.ts';
import { readMaintenance } from './maintenance.store.ts';

/** The state as everybody asks it, from memory. */
export type Maintenance = {
  /** Maintenance at this moment. */
  now(): MaintenanceNow;
  /** The same, read where it is kept: what another replica has just written is in it. */
  read(): Promise<MaintenanceNow>;
  /** Where the state comes from. */
  readonly source: 'portico' | 'flag-host';
  /** Called after the state has changed and `now()` tells so. */
  onChange(listener: () => void): void;
  /** Resolves when `now()` tells all that this process has committed or heard of. */
  caughtUp(): Promise<void>;
  close(): void;
};

/** Another flag host that is followed instead of the own row (MAINT-1). */
export type FollowedState = {
  state(): MaintenanceState;
  onChange(listener: () => void): void;
  close(): void;
};

const retryMs = 1_000;

/** The state of maintenance, held in memory and read again after each change of it, here or elsewhere. */
export async function createMaintenance(parts: {
  database: Database;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  followed: FollowedState | null;
}): Promise<Maintenance> {
  const { database, clock, logger, followed } = parts;
  if (followed !== null) {
    return {
      now: () => maintenanceAt(followed.state(), clock.now()),
      read: () => Promise.resolve(maintenanceAt(followed.state(), clock.now())),
      source: 'flag-host',
      onChange: (listener) => followed.onChange(listener),
      caughtUp: () => Promise.resolve(),
      close: () => followed.close(),
    };
  }

  let state: MaintenanceState | null = null;
  let reading = Promise.resolve();
  let asked = 0;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const listeners: (() => void)[] = [];

  // Two changes may be read at the same time and the answers arrive in either order: only the last one asked counts.
  function readAgain(): void {
    asked += 1;
    const own = asked;
    clearTimeout(retry);
    reading = readMaintenance(database.read).then(
      (read) => {
        if (own === asked) take(read);
      },
      (error: unknown) => {
        if (own !== asked || closed) return;
        logger.error({ err: error }, 'maintenance could not be read; it is tried again');
        retry = setTimeout(readAgain, retryMs);
      },
    );
  }

  function take(read: MaintenanceState): void {
    state = read;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        logger.error({ err: error }, 'a follower of maintenance failed');
      }
    }
  }

  // Before the first look, so that what changes meanwhile is heard.
  parts.feed.on('maintenance', readAgain);
  const atStart = await readMaintenance(database.read);

  return {
    now: () => maintenanceAt(state ?? atStart, clock.now()),
    read: async () => maintenanceAt(await readMaintenance(database.read), clock.now()),
    source: 'portico',
    onChange: (listener) => listeners.push(listener),
    caughtUp: () => reading,
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}
