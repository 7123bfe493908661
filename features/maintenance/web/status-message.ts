import { maintenanceStatus, type MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { createStore, type Readable } from '#web/platform/state/store.ts';

/** The status as a browser knows it, without the time of the answer. */
export type KnownStatus = Omit<MaintenanceStatus, 'serverTime' | 'since'>;

/**
 * The status as one tab has read it, for the other tabs: those of the application and those on the entry
 * page.
 */
export type StatusMessage = KnownStatus & {
  /** Whether the sending tab also holds a stream, so that the others need not ask so often. */
  streaming: boolean;
};

export const statusTopic = 'maintenance';

export function readStatusMessage(data: Record<string, unknown>): StatusMessage | null {
  const read = maintenanceStatus.safeParse({ ...data, serverTime: 0, since: null });
  return read.success ? { ...known(read.data), streaming: data['streaming'] === true } : null;
}

/** The part of a status that a browser needs. */
export function known(status: KnownStatus): KnownStatus {
  const { mode, text, texts, severity, expectedEnd, upcoming, returnWithin, changedAt } = status;
  return { mode, text, texts, severity, expectedEnd, upcoming, returnWithin, changedAt };
}

export type NewestStatus = Readable<KnownStatus> & {
  /**
   * Takes a status unless a newer one is known: a late older answer does not undo a newer one.
   *
   * @param asked begun by `asking`, if it answers a request of this tab
   */
  take(status: KnownStatus, asked?: { serverTime: number; before: number }): void;
  /** Called before a request is sent; its result is passed to `take` with the answer. */
  asking(): number;
};

/** Milliseconds that the clocks of a server's replicas may differ by. */
const apart = 5_000;

/** The newest of all received statuses, however they came. */
export function createNewestStatus(first: KnownStatus): NewestStatus {
  const store = createStore(known(first), sameStatus);
  let changes = 0;
  return {
    get: store.get,
    subscribe: store.subscribe,
    asking: () => changes,
    take(status, asked) {
      const { changedAt } = store.get();
      // Asked after the newest was received, with a server time before that change: the clock was set back.
      const setBack = asked !== undefined && asked.before === changes && asked.serverTime + apart < changedAt;
      if (status.changedAt < changedAt && !setBack) return;
      if (status.changedAt !== changedAt) changes += 1;
      store.set(known(status));
    },
  };
}

function sameStatus(a: KnownStatus, b: KnownStatus): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
