import * as z from 'zod/mini';
import { maintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { createStore, type Readable } from '#web/platform/state/store.ts';

const { mode, text, texts, severity, expectedEnd, upcoming, returnWithin, changedAt } =
  maintenanceStatus.shape;
/** The status as a browser knows it, without the time of the answer. */
const knownStatus = z.object({
  mode,
  text,
  texts,
  severity,
  expectedEnd,
  upcoming,
  returnWithin,
  changedAt,
});
export type KnownStatus = z.infer<typeof knownStatus>;

/**
 * The status as one tab has read it, for the other tabs: those of the application and those on the entry
 * page.
 */
export const statusMessage = z.object({
  ...knownStatus.shape,
  /** Whether the sending tab also holds a stream, so that the others need not ask so often. */
  streaming: z.boolean(),
});
export type StatusMessage = z.infer<typeof statusMessage>;

export const statusTopic = 'maintenance';

/** The part of a status that a browser needs. */
export const known = (status: KnownStatus): KnownStatus => knownStatus.parse(status);

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
