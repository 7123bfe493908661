import type { Boot } from '#contract/boot.ts';
import type {
  MaintenanceMode,
  Notice,
  TextByLanguage,
  UpcomingWindow,
} from '#features/maintenance/contract/maintenance.ts';
import type { Can } from '#web/platform/contexts.tsx';
import { createStore, derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabMemory } from '#web/platform/tabs/tab-memory.ts';
import { createNewestStatus } from '../status-message.ts';
import { type Approach, watchApproach } from './approach.ts';
import { decideByFlags, decideByLatest, isSame, type MaintenanceFlags } from './decided.ts';
import { type GateView, gateView } from './gate-view.ts';
import { watchReturn } from './return-to-work.ts';
import { createStatusPolling, type StatusDependencies, withoutEvents } from './status-polling.ts';

/*
 * Maintenance, as a member's tab sees it. It begins with what the page was rendered with; an old cache never
 * decides (MAINT-2).
 *
 * 1. The status holds everything. The live events push it to every tab; while there are none the leading tab
 *    asks for it every 15 s, else once a minute, and any tab when a call was refused for maintenance or a
 *    person returns to it.
 * 2. The two flags hold whether maintenance is on, and the notice (MAINT-1). Where they are Portico's own
 *    they and the status come from the same changes, each with its time: the latest decides, so that nothing
 *    that comes late undoes what came before. Where they come from another flag host they alone decide, and
 *    the status adds what flags do not hold.
 */

export type MaintenanceState = Notice & {
  /** The notice's text in the languages in which it was written. */
  readonly texts: TextByLanguage;
  /** MAINTENANCE is on. */
  readonly on: boolean;
  readonly mode: MaintenanceMode;
  /** Milliseconds since the epoch by the server, or null. */
  readonly expectedEnd: number | null;
  /** The next planned window, once its lead time runs. */
  readonly upcoming: UpcomingWindow | null;
};

export type Maintenance = {
  readonly state: Readable<MaintenanceState>;
  readonly gate: Readable<GateView>;
  /** A window after whose start nothing can be saved is near. */
  readonly approach: Readable<Approach | null>;
  /** Whether this person may pass through the page. */
  readonly mayPass: Readable<boolean>;
  /** Passes through, in this tab and for this maintenance; does nothing for a person who may not. */
  pass(): void;
  /** Back to the page. */
  unpass(): void;
  /**
   * Called before this person starts maintenance: the page of it does not cover this tab, where they may pass through it. It
   * holds for maintenance that starts within two minutes.
   *
   * @returns how to take it back, where the start was refused
   */
  stay(): () => void;
  /**
   * Maintenance is over, and data may be loaded again: called some time after the page goes, so that not all
   * browsers ask at once.
   */
  onReopened(listener: () => void): () => void;
  /** From when the page covers the screens until `onReopened`: what is shown may be outdated. */
  readonly returning: Readable<boolean>;
  /** The status may have changed: reads it now. */
  refresh(): Promise<void>;
};

export type MaintenanceDependencies = StatusDependencies & {
  boot: Boot['maintenance'];
  memory: TabMemory;
  flags: MaintenanceFlags & {
    onStreamMessage(listener: () => void): () => void;
    refresh(): Promise<void>;
  };
  /** `known`: the rights of the signed-in person have been loaded. */
  rights: { readonly can: Readable<Can>; readonly known: Readable<boolean> };
};

const leaderTimeout = 2_000;
const boundarySpread = 1_000;
/** A window that starts at once may be planned up to a minute ahead. */
const stayFor = 120_000;
const passedKey = 'portico.maintenance.passed';

export function createMaintenance(dependencies: MaintenanceDependencies): Maintenance {
  const { boot, api, clock, random, leader, live, memory, flags, rights } = dependencies;
  const status = createNewestStatus(boot);
  const passed = createStore(memory.read(passedKey) !== null);
  const decided = flags.own ? decideByLatest(status, flags) : decideByFlags(boot, flags);
  const state = derive(
    [decided, status],
    (own, { mode, text, texts, expectedEnd, upcoming }): MaintenanceState => ({
      on: own.on,
      maintenanceText: own.maintenanceText,
      maintenanceTextSeverity: own.maintenanceTextSeverity,
      // The flag has one text for all; the status those that belong to it.
      texts: own.maintenanceText === text ? texts : {},
      mode,
      expectedEnd,
      upcoming,
    }),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  const mayPass = derive([rights.can], (can) => can('MAINTENANCE_BYPASS'));
  const gate = derive([state, passed, mayPass, rights.known], gateView);

  const asking = createStatusPolling(dependencies, status);

  // Without events the leading tab asks when the window begins, and does not wait for the next poll.
  let cancelLook = () => {};
  watch(
    derive([state], ({ upcoming }) => upcoming?.startsAt ?? null),
    (startsAt) => {
      cancelLook();
      if (startsAt === null) return;
      const wait = startsAt - dependencies.serverClock.now() + random() * boundarySpread;
      cancelLook = clock.after(Math.max(0, wait), () => {
        if (leader.get() && !live.connected.get()) void asking.again();
      });
    },
  );

  flags.onStreamMessage(() => {
    if (!live.connected.get()) void asking.again();
  });

  api.onProblem(({ code }) => {
    if (code !== 'MAINTENANCE') return;
    const explained = state.get().on || state.get().mode !== 'off';
    // Screens may repeat refused calls; one look is enough.
    if (explained && Math.abs(clock.now() - asking.askedAt()) < withoutEvents) return;
    void asking.again();
    if (!flags.own) void flags.refresh();
  });

  // The flags show that something has changed, the status what. It is pushed, or the leading tab asks for all
  // tabs.
  derive([decided], (now) => now, isSame).subscribe(() => {
    const isBehind = () => !flags.own || decided.get().at > status.get().changedAt;
    const receivedBefore = asking.lastReceived();
    const ask = () => {
      if (isBehind() && asking.lastReceived() === receivedBefore) void asking.again();
    };
    if (!isBehind()) return;
    if (leader.get() && !live.connected.get()) ask();
    else clock.after(leaderTimeout, ask);
  });
  watch(
    derive([state], ({ on }) => on),
    (on) => {
      if (!on) setPassed(false);
    },
  );

  const { returning, onReopened } = watchReturn(gate, () => status.get().returnWithin, dependencies);

  function setPassed(through: boolean): void {
    memory.write(passedKey, through ? '1' : null);
    passed.set(through);
  }

  function forgetUnlessOn(): void {
    if (!state.get().on) setPassed(false);
  }

  return {
    state,
    gate,
    approach: watchApproach(
      derive([state], ({ upcoming }) => upcoming, sameWindow),
      dependencies,
    ),
    mayPass,
    pass() {
      if (state.get().on && mayPass.get()) setPassed(true);
    },
    unpass: () => setPassed(false),
    stay() {
      if (state.get().on || !mayPass.get()) return () => {};
      setPassed(true);
      const cancel = clock.after(stayFor, forgetUnlessOn);
      return () => {
        cancel();
        forgetUnlessOn();
      };
    },
    onReopened,
    returning,
    refresh: asking.again,
  };
}

function sameWindow(a: UpcomingWindow | null, b: UpcomingWindow | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
