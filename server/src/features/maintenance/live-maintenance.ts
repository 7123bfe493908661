import type { MaintenanceMode } from '@portico/contract/maintenance';
import type { ChangeFeed } from '../../platform/database/change-feed.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { memoryOf } from '../../platform/database/memory.ts';
import type { Logger } from '../../platform/log/logger.ts';
import { wasHeldOpen } from './history.store.ts';
import { holdFileIn, isThere } from './hold-file.ts';
import {
  clockToleranceMs,
  isLater,
  maintenanceAt,
  nextBoundary,
  phaseAt,
  retryAfterAt,
  returnWithinFor,
  type StoredState,
  type MaintenanceAt,
  type MaintenanceNow,
  type MaintenanceState,
} from './maintenance-at.ts';
import { lastWritten, readMaintenance } from './maintenance.store.ts';
import type { Operations } from './operations.ts';
import { openWindows } from './windows.store.ts';

/** The state that all callers ask, from memory. */
export type Maintenance = {
  /** Maintenance at this moment. */
  now(): MaintenanceNow;
  /** What of it is asked at every request. */
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

/** Another flag host that is followed instead of the own row (MAINT-1). */
export type FollowedState = {
  state(): MaintenanceState;
  onChange(listener: () => void): void;
  close(): void;
};

const retryMs = 1_000;
/** How often the clock and the break-glass file are looked at: nothing waits for a timer of hours, which sleep and a set clock would lead astray. */
const lookMs = 250;
/** How long followers wait for a phase change to be recorded, so that they are notified once. */
const timeoutMs = 500;

/**
 * Maintenance, held in memory: the stored state is read again after each change, here or elsewhere, and
 * maintenance is a pure function of it and the time. A boundary is in force for the gate at its time; it is
 * recorded right after, once, by whichever replica comes first, which notifies all others. Where it cannot be
 * recorded the followers of this process are notified all the same.
 */
export async function createLiveMaintenance(parts: {
  database: Database;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  followed: FollowedState | null;
  operations: Pick<Operations, 'cross' | 'noteHeldOpen'>;
  /** Where the break-glass file is looked for. */
  dataDir: string;
  /** How many browsers are connected to this process. */
  browsers: () => number;
}): Promise<Maintenance> {
  const { database, clock, logger, followed, operations } = parts;
  const holdFile = holdFileIn(parts.dataDir);
  const listeners: (() => void)[] = [];
  let closed = false;

  let heldOpen = await isThere(holdFile, false);
  const wasHeld = await wasHeldOpen(database.read);
  const memory = await memoryOf({
    read: readStored,
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
  let heldChangedAt = 0;
  /** What holds from one boundary to the next, computed at the first question after each. */
  let current = from(clock.now());
  let published = { state: current.state, text: JSON.stringify(current.state) };

  async function readStored(): Promise<Omit<StoredState, 'heldOpen'>> {
    if (followed !== null) return { manual: followed.state(), windows: [], changedAt: 0 };
    const [manual, windows, changedAt] = await Promise.all([
      readMaintenance(database.read),
      openWindows(database.read),
      lastWritten(database.read),
    ]);
    return { manual, windows, changedAt };
  }

  function stateOf(state: Omit<StoredState, 'heldOpen'>): StoredState {
    return { ...state, changedAt: Math.max(state.changedAt, heldChangedAt), heldOpen };
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
        logger.error({ err: error }, 'a follower of maintenance failed');
      }
    }
  }

  let lastLook = clock.now();
  /** A clock that was set back leaves phases again; until that is seen, a clock that is merely slow records nothing. */
  let wentBack = true;
  let recording: Promise<void> | null = null;
  let recordingSince = 0;
  let nextTry = 0;
  let inTrouble = false;
  // The file of another replica is that replica's to record.
  let holdIsNew = wasHeld !== heldOpen && (heldOpen || database.engine === 'sqlite');

  function look(): void {
    const now = clock.now();
    if (now < lastLook - clockToleranceMs) wentBack = true;
    lastLook = now;
    void lookForFile();
    const isDue = isUnrecorded(now) || holdIsNew;
    if (!isDue) wentBack = false;
    const time = performance.now();
    if (isDue && recording === null && time >= nextTry) void record();
    // Followers are notified by the recorded change; where that takes long, without it.
    else if (recording === null || time - recordingSince > timeoutMs) publish();
  }

  function isUnrecorded(now: number): boolean {
    return memory.current().windows.some((window) => {
      const phase = phaseAt(window, now);
      return wentBack ? phase !== window.phase : isLater(phase, window.phase);
    });
  }

  function record(): Promise<void> {
    recording ??= recordNow().finally(() => (recording = null));
    return recording;
  }

  async function recordNow(): Promise<void> {
    const [backward, hold, isHeld] = [wentBack, holdIsNew, heldOpen];
    recordingSince = performance.now();
    try {
      await database.change(async (change) => {
        if (followed === null) await operations.cross(change, { backward });
        if (hold) await operations.noteHeldOpen(change, isHeld);
      });
      if (backward) wentBack = false;
      if (hold) holdIsNew = heldOpen !== isHeld;
      if (inTrouble) logger.info('what happens to maintenance is recorded again');
      inTrouble = false;
      // Another replica may have been first; then this one has published nothing.
      memory.readAgain();
      await memory.caughtUp();
    } catch (error) {
      nextTry = performance.now() + retryMs;
      if (!inTrouble && !closed)
        logger.error(
          { err: error },
          'what happens to maintenance cannot be recorded; it is in force, and tried again',
        );
      inTrouble = true;
      publish();
    }
  }

  let looking = false;
  async function lookForFile(): Promise<void> {
    if (looking) return;
    looking = true;
    const isHeld = await isThere(holdFile, heldOpen);
    looking = false;
    if (isHeld === heldOpen || closed) return;
    heldChangedAt = Math.max(clock.now(), at(clock.now()).changedAt + 1);
    heldOpen = isHeld;
    holdIsNew = true;
    current = from(clock.now());
    logHoldFile();
    publish();
    if (performance.now() >= nextTry) void record();
  }

  function logHoldFile(): void {
    if (heldOpen) logger.warn({ file: holdFile }, 'a file keeps maintenance off, whatever is set or planned');
    else
      logger.warn(
        { file: holdFile },
        'the file is gone that kept maintenance off; what is set and planned holds again',
      );
  }

  if (heldOpen) logHoldFile();
  // Phase changes while no process ran.
  if (isUnrecorded(clock.now()) || holdIsNew) await record();
  const timer = setInterval(look, lookMs);

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
    read: async () => maintenanceAt(stateOf(await readStored()), clock.now()),
    source: followed === null ? 'portico' : 'flag-host',
    heldOpen: () => heldOpen,
    onChange: (listener) => listeners.push(listener),
    caughtUp: memory.caughtUp,
    async close() {
      closed = true;
      clearInterval(timer);
      memory.close();
      followed?.close();
      await recording;
    },
  };
}
