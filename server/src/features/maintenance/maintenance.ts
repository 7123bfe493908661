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
  /** Where the state comes from. */
  readonly source: 'portico' | 'flag-host';
  /** Called after the state has changed and `now()` tells so. */
  onChange(listener: () => void): void;
  close(): void;
};

/** Another flag host that is followed instead of the own row (MAINT-1). */
export type FollowedState = {
  state(): MaintenanceState;
  onChange(listener: () => void): void;
  close(): void;
};

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
      source: 'flag-host',
      onChange: (listener) => followed.onChange(listener),
      close: () => followed.close(),
    };
  }

  let state: MaintenanceState = await readMaintenance(database.read);
  const listeners: (() => void)[] = [];
  let asked = 0;
  let retry: NodeJS.Timeout | undefined;

  // Two changes may be read at the same time and the answers arrive in either order: only the last one asked counts.
  function readAgain(): void {
    asked += 1;
    const own = asked;
    clearTimeout(retry);
    readMaintenance(database.read).then(
      (read) => {
        if (own !== asked) return;
        state = read;
        for (const listener of listeners) listener();
      },
      (error: unknown) => {
        logger.error({ err: error }, 'maintenance could not be read; it is tried again');
        if (own === asked) retry = setTimeout(readAgain, 1_000);
      },
    );
  }
  parts.feed.on('maintenance', readAgain);

  return {
    now: () => maintenanceAt(state, clock.now()),
    source: 'portico',
    onChange: (listener) => listeners.push(listener),
    close: () => clearTimeout(retry),
  };
}
