import type { MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import { wasHeldOpen } from './history.store.ts';
import {
  clockToleranceMs,
  isUnrecorded,
  maintenanceAt,
  nextBoundary,
  retryAfterAt,
  returnWithinFor,
  type StoredState,
  type MaintenanceAt,
  type MaintenanceNow,
  type MaintenanceState,
} from './maintenance-at.ts';
import { lastWritten, readMaintenance } from './maintenance.store.ts';
import type { Operations } from './operations.ts';
import { watchHoldFile } from './hold-file.ts';
import { finishedWindows, openWindows } from './windows.store.ts';

/** The state of maintenance, held in memory. */
export type Maintenance = {
  /** Maintenance at this moment. */
  now(): MaintenanceNow;
  /** The part of `now()` that every request needs. */
  gate(): { mode: MaintenanceMode; retryAfter: number };
  /** The same as `now()`, read from the database: it includes what another replica has just written. */
  read(): Promise<MaintenanceAt>;
  /** Where the state comes from. */
  readonly source: 'portico' | 'flag-host';
  /** Whether the break-glass file keeps maintenance off. */
  heldOpen(): boolean;
  /** Called after maintenance has changed, by a person or by time, and `now()` answers the new state. */
  onChange(listener: () => void): void;
  /** Resolves when `now()` includes all changes that this process has committed or received. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/** The state of another flag host, which is used in place of the stored row (MAINT-1). */
export type FollowedState = {
  state(): MaintenanceState;
  onChange(listener: () => void): void;
  close(): void;
};

/** How often clock and break-glass file are checked: sleep and clock changes break long timers. */
const checkMs = 250;

/**
 * Maintenance, held in memory: the stored state is read again after each change on any replica, and maintenance
 * is a pure function of that state and the time. A phase change is in force for the gate at its time. The first
 * replica to notice it records it right after, once, and so notifies the others. Where it cannot be recorded, the
 * followers of this process are still notified.
 */
export async function createLiveMaintenance(
  parts: Pick<Core, 'database' | 'feed' | 'clock' | 'logger'> & {
    followed: FollowedState | null;
    operations: Pick<Operations, 'recordPhases' | 'noteHeldOpen'>;
    /** Where the break-glass file is looked for. */
    dataDir: string;
    /** How many browsers are connected to this process. */
    browsers: () => number;
  },
): Promise<Maintenance> {
  const { database, clock, logger, followed, operations } = parts;
  const listeners: (() => void)[] = [];
  let closed = false;

  const holdFile = await watchHoldFile(parts.dataDir, clock, logger);
  const wasHeld = await wasHeldOpen(database.read);
  const memory = await memoryOf({
    read: () => readStored(database.read, followed),
    feed: parts.feed,
    topics: followed === null ? ['maintenance'] : [],
    logger,
    failure: 'maintenance could not be read; it is tried again',
    onRead() {
      current = from(clock.now());
      publish();
    },
  });
  followed?.onChange(memory.readAgain);
  /** The state between two phase changes, computed at the first call after each phase change. */
  let current = from(clock.now());
  let published = { state: current.state, text: JSON.stringify(current.state) };

  function stateOf(state: Omit<StoredState, 'heldOpen'>): StoredState {
    const changedAt = Math.max(state.changedAt, holdFile.changedAt());
    return { ...state, changedAt, heldOpen: holdFile.isThere() };
  }

  function from(begin: number): { begin: number; end: number; state: MaintenanceAt } {
    const stored = memory.current();
    return { begin, end: nextBoundary(stored.windows, begin), state: maintenanceAt(stateOf(stored), begin) };
  }

  function at(time: number): MaintenanceAt {
    if (time < current.begin || time >= current.end) current = from(time);
    return current.state;
  }

  /** Calls the listeners, unless they have been called for this state. */
  function publish(): void {
    const state = at(clock.now());
    if (state === published.state || closed) return;
    const text = JSON.stringify(state);
    const isNew = text !== published.text;
    published = { state, text };
    if (!isNew) return;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        logger.error({ err: error }, 'a subscriber of maintenance failed');
      }
    }
  }

  let lastCheck = clock.now();
  /**
   * Whether the clock may have been set back. Only then is an earlier phase recorded; a clock that is merely
   * slow records none.
   */
  let wentBack = true;
  // A file that only another replica has is recorded by that replica.
  let holdIsNew = wasHeld !== holdFile.isThere() && (holdFile.isThere() || database.engine === 'sqlite');

  const isDue = (): boolean => holdIsNew || isUnrecorded(memory.current().windows, clock.now(), wentBack);

  const recorder = createRecorder(
    {
      async write() {
        const [backward, hold, isHeld] = [wentBack, holdIsNew, holdFile.isThere()];
        await database.change(async (change) => {
          if (followed === null) await operations.recordPhases(change, { backward });
          if (hold) await operations.noteHeldOpen(change, isHeld, followed?.state() ?? null);
        });
        if (backward) wentBack = false;
        if (hold) holdIsNew = holdFile.isThere() !== isHeld;
      },
      async written() {
        // If another replica recorded the change first, this one has published nothing: read the state again.
        memory.readAgain();
        await memory.caughtUp();
      },
      onFailure: publish,
    },
    logger,
  );

  function check(): void {
    const now = clock.now();
    if (now < lastCheck - clockToleranceMs) wentBack = true;
    lastCheck = now;
    void checkHoldFile();
    const due = isDue();
    if (!due) wentBack = false;
    if (due && !recorder.isUnderWay() && recorder.mayTry()) void recorder.record();
    // The recorded change notifies the followers; where recording takes long, they are notified without it.
    else if (!recorder.isUnderWay() || recorder.isSlow()) publish();
  }

  async function checkHoldFile(): Promise<void> {
    const isChanged = await holdFile.check(() => at(clock.now()).changedAt);
    if (!isChanged || closed) return;
    holdIsNew = true;
    current = from(clock.now());
    publish();
    if (recorder.mayTry()) void recorder.record();
  }

  // Records the phase changes that were due while no process ran.
  if (isDue()) await recorder.record();
  const timer = setInterval(check, checkMs);

  return {
    now() {
      const time = clock.now();
      const state = at(time);
      return {
        ...state,
        returnWithin: returnWithinFor(parts.browsers()),
        retryAfter: retryAfterAt(state.expectedEnd, time),
      };
    },
    gate() {
      const time = clock.now();
      const { mode, expectedEnd } = at(time);
      return { mode, retryAfter: mode === 'off' ? 0 : retryAfterAt(expectedEnd, time) };
    },
    read: async () => maintenanceAt(stateOf(await readStored(database.read, followed)), clock.now()),
    source: followed === null ? 'portico' : 'flag-host',
    heldOpen: holdFile.isThere,
    onChange: (listener) => listeners.push(listener),
    caughtUp: memory.caughtUp,
    async close() {
      closed = true;
      clearInterval(timer);
      memory.close();
      followed?.close();
      await recorder.close();
    },
  };
}

async function readStored(
  read: Reader,
  followed: FollowedState | null,
): Promise<Omit<StoredState, 'heldOpen'>> {
  if (followed !== null) return { manual: followed.state(), windows: [], changedAt: 0 };
  const [manual, open, finished, changedAt] = await Promise.all([
    readMaintenance(read),
    openWindows(read),
    finishedWindows(read),
    lastWritten(read),
  ]);
  return { manual, windows: [...open, ...finished], changedAt };
}

const retryMs = 1_000;
/** How long followers wait for a phase change to be recorded, so that they are notified once. */
const timeoutMs = 500;

/**
 * Records changes of maintenance: one write at a time, with a pause after a failed write.
 *
 * @param write may fail; `written` is called after it, and may fail too
 * @param onFailure called after each failure
 */
function createRecorder(
  { write, written, onFailure }: { write(): Promise<void>; written(): Promise<void>; onFailure(): void },
  logger: Logger,
) {
  let underWay: Promise<void> | null = null;
  let since = 0;
  let nextTry = 0;
  let inTrouble = false;
  let closed = false;

  async function recordNow(): Promise<void> {
    since = performance.now();
    try {
      await write();
      if (inTrouble) logger.info('changes of maintenance are recorded again');
      inTrouble = false;
      await written();
    } catch (error) {
      nextTry = performance.now() + retryMs;
      if (!inTrouble && !closed)
        logger.error(
          { err: error },
          'a change of maintenance cannot be recorded; it is in force, and it is tried again',
        );
      inTrouble = true;
      onFailure();
    }
  }

  return {
    /** Joins a write that is under way. */
    record() {
      underWay ??= recordNow().finally(() => (underWay = null));
      return underWay;
    },
    isUnderWay: () => underWay !== null,
    /** False for `retryMs` after a failed write. */
    mayTry: () => performance.now() >= nextTry,
    /** Whether a write has been under way for so long that others need not wait for it. */
    isSlow: () => performance.now() - since > timeoutMs,
    /** Resolves when no write is under way; failures are no longer logged. */
    async close() {
      closed = true;
      await underWay;
    },
  };
}
