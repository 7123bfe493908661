import type { Boot } from '@portico/contract/boot';
import {
  formatNotice,
  getMaintenanceStatus,
  maintenanceFlag,
  type MaintenanceMode,
  type MaintenanceStatus,
  maintenanceTextFlag,
  type Notice,
  parseNotice,
  type UpcomingWindow,
} from '@portico/contract/maintenance';
import type { Broadcast } from '../../../platform/tabs/broadcast.ts';
import type { Api } from '../../../platform/calls/call.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Can } from '../../../platform/contexts.tsx';
import { createPoller } from '../../../platform/live/poller.ts';
import type { ErrorRecord } from '../../../platform/record-error.ts';
import { createRefresher } from '../../../platform/calls/refresher.ts';
import type { ServerClock } from '../../../platform/time/server-clock.ts';
import { createSignal, createStore, derive, type Readable, watch } from '../../../platform/state/store.ts';
import type { TabMemory } from '../../../platform/tabs/tab-memory.ts';
import type { TabPresence } from '../../../platform/tabs/tab-presence.ts';
import { createNewestStatus, type KnownStatus, type StatusMessage } from '../status-message.ts';
import { type Approach, watchApproach } from './approach.ts';

/*
 * Maintenance, as a member's tab sees it. It begins with what the page was rendered with; an old cache never decides (MAINT-2).
 *
 * 1. The status holds everything. The live events push it to every tab; while there are none the leading tab asks for it every
 *    15 s, else once a minute, and any tab when a call was refused for maintenance or a person returns to it.
 * 2. The two flags hold whether maintenance is on, and the notice (MAINT-1). Where they are Portico's own they and the status
 *    come from the same changes, each with its time: the latest decides, so that nothing that comes late undoes what came before.
 *    Where they come from another flag host they alone decide, and the status adds what flags do not hold.
 */

export type MaintenanceState = Notice & {
  /** MAINTENANCE is on. */
  readonly on: boolean;
  readonly mode: MaintenanceMode;
  /** Milliseconds since the epoch by the server, or null. */
  readonly expectedEnd: number | null;
  /** The next planned window, once its lead time runs. */
  readonly upcoming: UpcomingWindow | null;
};

/**
 * The gate: `page`: the maintenance page covers the application (MAINT-3). `passed`: it would, but this person has
 * passed through (MAINT-4). `read-only`: everything can be looked at, changes are refused (MAINT-6). `open`: nothing.
 */
export type GateView = 'page' | 'passed' | 'read-only' | 'open';

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
  /** Maintenance is over, and data may be loaded again: called some time after the page goes, so that not all browsers ask at once. */
  onReopened(listener: () => void): () => void;
  /** From when the page covers the screens until `onReopened`: what is shown may be outdated. */
  readonly returning: Readable<boolean>;
  /** The status may have changed: reads it now. */
  refresh(): Promise<void>;
};

export type MaintenanceEdges = {
  boot: Boot['maintenance'];
  api: Api;
  clock: Clock;
  serverClock: ServerClock;
  random: () => number;
  leader: Readable<boolean>;
  presence: TabPresence;
  broadcast: Broadcast<StatusMessage>;
  memory: TabMemory;
  errors: ErrorRecord;
  /** What the server pushes to every tab. `connected`: a push would arrive now. */
  live: {
    onStatus(listener: (status: MaintenanceStatus) => void): () => void;
    readonly connected: Readable<boolean>;
  };
  flags: {
    /** They come from Portico itself, as the status does. */
    readonly own: boolean;
    /** `fresh`: the flag host has answered since the page was opened. `changedAt`: the time of what is in force, by the host. */
    readonly state: Readable<{ readonly fresh: boolean; readonly changedAt: number }>;
    value(key: string, fallback: boolean | string): unknown;
    onStreamMessage(listener: () => void): () => void;
    refresh(): Promise<void>;
  };
  /** `known`: the rights of the signed-in person have been loaded. */
  rights: { readonly can: Readable<Can>; readonly known: Readable<boolean> };
};

const withEvents = 60_000;
const withoutEvents = 15_000;
const leaderTimeout = 2_000;
const boundarySpread = 1_000;
const passedKey = 'portico.maintenance.passed';

export function createMaintenance(edges: MaintenanceEdges): Maintenance {
  const { boot, api, clock, random, leader, live, broadcast, memory, errors, flags, rights } = edges;
  const status = createNewestStatus(boot);
  const passed = createStore(memory.read(passedKey) !== null);
  const reopened = createSignal();
  let failing = false;
  let lastReceived: KnownStatus | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;

  const decided = flags.own ? decideByLatest(status, flags) : decideByFlags(boot, flags);
  const state = derive(
    [decided, status],
    (own, { mode, expectedEnd, upcoming }): MaintenanceState => ({
      on: own.on,
      maintenanceText: own.maintenanceText,
      maintenanceTextSeverity: own.maintenanceTextSeverity,
      mode,
      expectedEnd,
      upcoming,
    }),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  const mayPass = derive([rights.can], (can) => can('MAINTENANCE_BYPASS'));
  const gate = derive(
    [state, passed, mayPass, rights.known],
    ({ on, mode }, through, may, isKnown): GateView => {
      // After a reload, a person who had passed through does not see the page while the rights are loading.
      if (on) return through && (may || !isKnown) ? 'passed' : 'page';
      return mode === 'read-only' ? 'read-only' : 'open';
    },
  );

  function passOn(): void {
    broadcast.post({ ...status.get(), streaming: leader.get() && live.connected.get() });
  }

  const question = createRefresher(async (signal) => {
    askedAt = clock.now();
    const measured = edges.serverClock.asking();
    const before = status.asking();
    try {
      const answer = await api.call(getMaintenanceStatus, {}, { signal });
      measured(answer.serverTime);
      failing = false;
      status.take(answer, { serverTime: answer.serverTime, before });
      passOn();
    } catch (error) {
      if (!signal.aborted && !failing) errors.record('maintenance.status', error);
      failing = !signal.aborted;
    }
  });

  const withoutStream = createStore(false);
  const pollers = [
    { every: withEvents, enabled: createStore(true) },
    { every: withoutEvents, enabled: withoutStream },
  ].map((options) =>
    createPoller(edges, {
      ...options,
      known: true,
      async poll() {
        await question.run();
        return !failing;
      },
    }),
  );

  // Spread, since the streams of all browsers may break at the same time.
  let cancelDoubt = () => {};
  watch(live.connected, (connected) => {
    cancelDoubt();
    if (connected) withoutStream.set(false);
    else cancelDoubt = clock.after(random() * withoutEvents, () => withoutStream.set(true));
  });

  // Without events the leading tab asks when the window begins, and does not wait for the next poll.
  let cancelLook = () => {};
  watch(
    derive([state], ({ upcoming }) => upcoming?.startsAt ?? null),
    (startsAt) => {
      cancelLook();
      if (startsAt === null) return;
      const wait = startsAt - edges.serverClock.now() + random() * boundarySpread;
      cancelLook = clock.after(Math.max(0, wait), () => {
        if (leader.get() && !live.connected.get()) void question.again();
      });
    },
  );

  function receive(received: KnownStatus): void {
    lastReceived = received;
    status.take(received);
    for (const poller of pollers) poller.polledElsewhere();
  }
  live.onStatus((pushed) => {
    receive(pushed);
    // The other tabs of the application have received it; those on an entry page have not.
    if (leader.get()) passOn();
  });
  broadcast.subscribe(receive);
  flags.onStreamMessage(() => {
    if (!live.connected.get()) void question.again();
  });

  api.onProblem(({ code }) => {
    if (code !== 'MAINTENANCE') return;
    const explained = state.get().on || state.get().mode !== 'off';
    // Screens may repeat refused calls; one look is enough.
    if (explained && Math.abs(clock.now() - askedAt) < withoutEvents) return;
    void question.again();
    if (!flags.own) void flags.refresh();
  });

  // The flags show that something has changed, the status what. It is pushed, or the leading tab asks for all tabs.
  derive([decided], (now) => now, isSame).subscribe(() => {
    const isBehind = () => !flags.own || decided.get().at > status.get().changedAt;
    const receivedBefore = lastReceived;
    const ask = () => {
      if (isBehind() && lastReceived === receivedBefore) void question.again();
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

  const returning = createStore(false);
  let cancelReturn = () => {};
  watch(gate, (now) => {
    cancelReturn();
    // A person who passes through works at once.
    if (now === 'page' || now === 'passed') returning.set(now === 'page');
    else if (returning.get())
      cancelReturn = clock.after(random() * status.get().returnWithin, () => {
        returning.set(false);
        reopened.publish();
      });
  });

  function setPassed(through: boolean): void {
    memory.write(passedKey, through ? '1' : null);
    passed.set(through);
  }

  return {
    state,
    gate,
    approach: watchApproach(
      derive([state], ({ upcoming }) => upcoming, sameWindow),
      edges,
    ),
    mayPass,
    pass() {
      if (state.get().on && mayPass.get()) setPassed(true);
    },
    unpass: () => setPassed(false),
    onReopened: reopened.subscribe,
    returning,
    refresh: question.again,
  };
}

function sameWindow(a: UpcomingWindow | null, b: UpcomingWindow | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

type Decided = Notice & { readonly on: boolean; /** Since when, by the server. */ readonly at: number };

/** Of the status and the flags, the one that was changed last. */
function decideByLatest(status: Readable<KnownStatus>, flags: MaintenanceEdges['flags']): Readable<Decided> {
  const latest = createStore(readStatus(status.get()));
  let lastStatus = latest.get().at;
  status.subscribe(() => {
    const now = readStatus(status.get());
    // Something older is used only if the server's clock was set back.
    if (now.at >= latest.get().at || now.at < lastStatus) latest.set(now);
    lastStatus = now.at;
  });
  watch(flags.state, ({ fresh, changedAt }) => {
    if (fresh && changedAt >= latest.get().at) latest.set(readFlags(flags.value, changedAt));
  });
  return latest;
}

/** The flags of another flag host; before its answer, the state that the page was rendered with. */
function decideByFlags(boot: Boot['maintenance'], flags: MaintenanceEdges['flags']): Readable<Decided> {
  return derive([flags.state], ({ fresh }) => (fresh ? readFlags(flags.value, 0) : readStatus(boot, 0)));
}

function readFlags(value: MaintenanceEdges['flags']['value'], at: number): Decided {
  const text = value(maintenanceTextFlag, '');
  const on = value(maintenanceFlag, false) === true;
  return { on, ...parseNotice(typeof text === 'string' ? text : ''), at };
}

function readStatus(
  { mode, text, severity, changedAt }: Pick<KnownStatus, 'mode' | 'text' | 'severity' | 'changedAt'>,
  at = changedAt,
): Decided {
  return { on: mode === 'full', maintenanceText: text, maintenanceTextSeverity: severity, at };
}

function isSame(a: Decided, b: Decided): boolean {
  return a.on === b.on && formatNotice(a) === formatNotice(b);
}
