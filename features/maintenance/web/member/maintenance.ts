import type { Boot } from '#contract/boot.ts';
import {
  formatNotice,
  maintenanceFlag,
  type MaintenanceMode,
  type MaintenanceStatus,
  maintenanceTextFlag,
  type Notice,
  parseNotice,
  type TextByLanguage,
  type UpcomingWindow,
} from '#features/maintenance/contract/maintenance.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { Can } from '#web/platform/contexts.tsx';
import { createSignal, createStore, derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { TabMemory } from '#web/platform/tabs/tab-memory.ts';
import { createLiveStatus, type KnownStatus, type StatusDependencies } from '../live-status.ts';
import { type Approach, watchApproach } from './approach.ts';

/*
 * Maintenance, as a member's tab sees it. It begins with the state that the page was rendered with, never with a
 * cached one (MAINT-2).
 *
 * 1. The status holds everything. The live events push it to every tab. The leading tab also reads it once a
 *    minute, or every 15 s without live events; any tab reads it when a call was refused for maintenance, and
 *    when a person returns to the tab.
 * 2. The two flags hold whether maintenance is on, and the notice (MAINT-1). Portico's own flags and the status
 *    change together, each with its time, and the latest decides, whichever arrives first. The flags of another
 *    flag host decide alone, and the status adds what flags do not hold.
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

/**
 * The gate: `page`: the maintenance page covers the application (MAINT-3). `passed`: it would, but this
 * person has passed through (MAINT-4). `read-only`: everything can be looked at, changes are refused
 * (MAINT-6). `open`: no limit.
 */
export type GateView = 'page' | 'passed' | 'read-only' | 'open';

export type Maintenance = {
  readonly state: Readable<MaintenanceState>;
  readonly gate: Readable<GateView>;
  /** The warning that a window which refuses changes starts soon; null: none does. */
  readonly approach: Readable<Approach | null>;
  /** Whether this person may pass through the page. */
  readonly mayPass: Readable<boolean>;
  /** Passes through, in this tab and for this maintenance; does nothing for a person who may not. */
  pass(): void;
  /** Back to the page. */
  unpass(): void;
  /**
   * Called before this person starts maintenance: its page then does not cover this tab, if they may pass through.
   * This holds for maintenance that starts within two minutes.
   *
   * @returns a function that undoes this call, where the start was refused
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
  api: Api;
  boot: Boot['maintenance'];
  /** What the server pushes to every tab. `connected`: a push would arrive now. */
  live: {
    onStatus(listener: (status: MaintenanceStatus) => void): () => void;
    readonly connected: Readable<boolean>;
  };
  memory: TabMemory;
  flags: MaintenanceFlags & {
    onStreamMessage(listener: () => void): () => void;
    refresh(): Promise<void>;
  };
  /** `known`: the rights of the signed-in person have been loaded. */
  rights: { readonly can: Readable<Can>; readonly known: Readable<boolean> };
};

/** The two flags of maintenance, as they are read. */
type MaintenanceFlags = {
  /** Whether the flags come from Portico itself, as the status does. */
  readonly own: boolean;
  /**
   * `fresh`: the flag host has answered since the page was opened. `changedAt`: the time of what is in force,
   * by the host.
   */
  readonly state: Readable<{ readonly fresh: boolean; readonly changedAt: number }>;
  value(key: string, fallback: boolean | string): unknown;
};

/** Whether maintenance is on, and the notice. `at`: since when, by the server. */
type Decided = Notice & { readonly on: boolean; readonly at: number };

/** How often the leading tab asks while nothing is pushed, milliseconds. */
const withoutEvents = 15_000;
const boundarySpread = 1_000;
/** A window that starts at once may be planned up to a minute ahead. */
const stayFor = 120_000;
const passedKey = 'portico.maintenance.passed';

export function createMaintenance(dependencies: MaintenanceDependencies): Maintenance {
  const { boot, api, clock, random, leader, live, memory, flags, rights } = dependencies;
  const pollsFast = createStore(false);
  const source = createLiveStatus(dependencies, boot, { every: withoutEvents, while: pollsFast });
  const { status } = source;
  live.onStatus(source.take);
  const passed = createStore(memory.read(passedKey) !== null);
  const decided = flags.own ? decideByLatest(status, flags) : decideByFlags(boot, flags);
  const state = derive(
    [decided, status],
    (own, { mode, text, texts, expectedEnd, upcoming }): MaintenanceState => ({
      on: own.on,
      maintenanceText: own.maintenanceText,
      maintenanceTextSeverity: own.maintenanceTextSeverity,
      // The flag holds one text for all languages; the status holds the same text in each language.
      texts: own.maintenanceText === text ? texts : {},
      mode,
      expectedEnd,
      upcoming,
    }),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  const mayPass = derive([rights.can], (can) => can('MAINTENANCE_BYPASS'));
  const gate = derive(
    [state, passed, mayPass, rights.known],
    ({ on, mode }, hasPassed, isAllowed, isKnown): GateView => {
      // After a reload, a person who had passed through does not see the page while the rights are loading.
      if (on) return hasPassed && (isAllowed || !isKnown) ? 'passed' : 'page';
      return mode === 'read-only' ? 'read-only' : 'open';
    },
  );

  // The wait is random, since the streams of all browsers may break at the same time.
  let cancelFastPolls = () => {};
  watch(live.connected, (connected) => {
    cancelFastPolls();
    if (connected) pollsFast.set(false);
    else cancelFastPolls = clock.after(random() * withoutEvents, () => pollsFast.set(true));
  });

  // Without events the leading tab asks when the window begins, and does not wait for the next poll.
  let cancelStartPoll = () => {};
  watch(
    derive([state], ({ upcoming }) => upcoming?.startsAt ?? null),
    (startsAt) => {
      cancelStartPoll();
      if (startsAt === null) return;
      const wait = startsAt - dependencies.serverClock.now() + random() * boundarySpread;
      cancelStartPoll = clock.after(Math.max(0, wait), () => {
        if (leader.get() && !live.connected.get()) void source.refresh();
      });
    },
  );

  flags.onStreamMessage(() => {
    if (!live.connected.get()) void source.refresh();
  });

  api.onProblem(({ code }) => {
    if (code !== 'MAINTENANCE') return;
    const explained = state.get().on || state.get().mode !== 'off';
    // Screens may repeat refused calls; one request for the status is enough.
    if (explained && Math.abs(clock.now() - source.askedAt()) < withoutEvents) return;
    void source.refresh();
    if (!flags.own) void flags.refresh();
  });

  // The flags show that something has changed, the status shows what. The server pushes the status, or the leading
  // tab asks for it for all tabs.
  derive([decided], (now) => now, isSame).subscribe(() => {
    const isBehind = !flags.own || decided.get().at > status.get().changedAt;
    if (isBehind) source.refreshWithin(0, live.connected.get());
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
    refresh: source.refresh,
  };
}

/** Of the status and the flags, the one that was changed last. */
function decideByLatest(status: Readable<KnownStatus>, flags: MaintenanceFlags): Readable<Decided> {
  const latest = createStore(readStatus(status.get()));
  let lastStatus = latest.get().at;
  status.subscribe(() => {
    const now = readStatus(status.get());
    // An older status is used only if the server's clock was set back.
    if (now.at >= latest.get().at || now.at < lastStatus) latest.set(now);
    lastStatus = now.at;
  });
  watch(flags.state, ({ fresh, changedAt }) => {
    if (fresh && changedAt >= latest.get().at) latest.set(readFlags(flags.value, changedAt));
  });
  return latest;
}

/** The flags of another flag host; before its answer, the state that the page was rendered with. */
function decideByFlags(boot: Boot['maintenance'], flags: MaintenanceFlags): Readable<Decided> {
  return derive([flags.state], ({ fresh }) => (fresh ? readFlags(flags.value, 0) : readStatus(boot)));
}

function readFlags(value: MaintenanceFlags['value'], at: number): Decided {
  const text = value(maintenanceTextFlag, '');
  const on = value(maintenanceFlag, false) === true;
  return { on, ...parseNotice(typeof text === 'string' ? text : ''), at };
}

function readStatus({ mode, text, severity, changedAt }: KnownStatus): Decided {
  return { on: mode === 'full', maintenanceText: text, maintenanceTextSeverity: severity, at: changedAt };
}

function isSame(a: Decided, b: Decided): boolean {
  return a.on === b.on && formatNotice(a) === formatNotice(b);
}

/** When data is loaded again after the page has covered the screens; see `Maintenance`. */
function watchReturn(
  gate: Readable<GateView>,
  within: () => number,
  { clock, random }: Pick<StatusDependencies, 'clock' | 'random'>,
): Pick<Maintenance, 'returning' | 'onReopened'> {
  const reopened = createSignal();
  const returning = createStore(false);
  let cancelReturn = () => {};
  watch(gate, (now) => {
    cancelReturn();
    // A person who passes through works at once.
    if (now === 'page' || now === 'passed') returning.set(now === 'page');
    else if (returning.get())
      cancelReturn = clock.after(random() * within(), () => {
        returning.set(false);
        reopened.publish();
      });
  });
  return { returning, onReopened: reopened.subscribe };
}

function sameWindow(a: UpcomingWindow | null, b: UpcomingWindow | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
