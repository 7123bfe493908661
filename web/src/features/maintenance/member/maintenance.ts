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
import type { Broadcast } from '../../../platform/broadcast.ts';
import type { Api } from '../../../platform/call.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Can } from '../../../platform/contexts.tsx';
import { createPoller } from '../../../platform/poller.ts';
import type { ErrorRecord } from '../../../platform/record-error.ts';
import { createRefresher } from '../../../platform/refresher.ts';
import type { ServerClock } from '../../../platform/server-clock.ts';
import { createSignal, createStore, derive, type Readable, watch } from '../../../platform/store.ts';
import type { TabMemory } from '../../../platform/tab-memory.ts';
import type { TabPresence } from '../../../platform/tab-presence.ts';
import { createNewestStatus, type KnownStatus, type StatusMessage } from '../status-message.ts';
import { type Approach, watchApproach } from './approach.ts';

/*
 * Maintenance, as a member's tab sees it. It begins with what the page was rendered with; an old cache never decides (MAINT-2).
 *
 * 1. The status says everything. The live events push it to every tab; while there are none the leading tab asks for it every
 *    15 s, else once a minute, and any tab when a call was refused for maintenance or a person returns to it.
 * 2. The two flags say whether the application is closed, and the notice (MAINT-1). Where they are Portico's own they and the status
 *    come from the same changes, each with its time: the latest decides, so that nothing that comes late undoes what came before.
 *    Where they come from another flag host they alone decide, and the status adds what flags do not say.
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
 * What the gate says: `page`: the maintenance page covers the application (MAINT-3). `passed`: it would, but this person has
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
  /** Passes through, for this browser session and this maintenance; does nothing for who may not. */
  pass(): void;
  /** Back to the page. */
  unpass(): void;
  /** It is over, and data may be loaded again: told some time after the page goes, so that not everybody asks at once. */
  onReopened(listener: () => void): () => void;
  /** From when the page covers the screens until `onReopened` tells: what is shown is from before, and stays for the moment. */
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
  /** What the server pushes, heard in every tab. `connected`: it would be, now. */
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
  /** `known`: the rights of whoever is signed in have been loaded. */
  rights: { readonly can: Readable<Can>; readonly known: Readable<boolean> };
};

const withEvents = 60_000;
const withoutEvents = 15_000;
const leaderPatience = 2_000;
const boundarySpread = 1_000;
const passedKey = 'portico.maintenance.passed';

export function createMaintenance(edges: MaintenanceEdges): Maintenance {
  const { boot, api, clock, random, leader, live, broadcast, memory, errors, flags, rights } = edges;
  const status = createNewestStatus(boot);
  const passed = createStore(memory.read(passedKey) !== null);
  const reopened = createSignal();
  let failing = false;
  let heard: KnownStatus | null = null;
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
      // Who had passed before a reload does not see the page flash by while the rights are on their way.
      if (on) return through && (may || !isKnown) ? 'passed' : 'page';
      return mode === 'read-only' ? 'read-only' : 'open';
    },
  );

  function passOn(): void {
    broadcast.post({ ...status.get(), streaming: leader.get() && live.connected.get() });
  }

  const question = createRefresher(async (signal) => {
    askedAt = clock.now();
    const heardTime = edges.serverClock.asking();
    const before = status.asking();
    try {
      const answer = await api.call(getMaintenanceStatus, {}, { signal });
      heardTime(answer.serverTime);
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

  // Spread, since the streams of all browsers may break at the same moment.
  let cancelDoubt = () => {};
  watch(live.connected, (connected) => {
    cancelDoubt();
    if (connected) withoutStream.set(false);
    else cancelDoubt = clock.after(random() * withoutEvents, () => withoutStream.set(true));
  });

  // Who is told nothing asks when the window begins, and need not wait for the next time.
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

  function hear(told: KnownStatus): void {
    heard = told;
    status.take(told);
    for (const poller of pollers) poller.heard();
  }
  live.onStatus((pushed) => {
    hear(pushed);
    // The other tabs of the application have heard it; one on the page before it has not.
    if (leader.get()) passOn();
  });
  broadcast.subscribe(hear);
  flags.onStreamMessage(() => {
    if (!live.connected.get()) void question.again();
  });

  api.onProblem(({ code }) => {
    if (code !== 'MAINTENANCE') return;
    const explained = state.get().on || state.get().mode !== 'off';
    // Screens that go on asking are refused each time; once is enough to look.
    if (explained && Math.abs(clock.now() - askedAt) < withoutEvents) return;
    void question.again();
    if (!flags.own) void flags.refresh();
  });

  // The flags say that something has changed, the status what. It is pushed, or the leading tab asks for all of them.
  derive([decided], (now) => now, saysTheSame).subscribe(() => {
    const isBehind = () => !flags.own || decided.get().at > status.get().changedAt;
    const heardBefore = heard;
    const ask = () => {
      if (isBehind() && heard === heardBefore) void question.again();
    };
    if (!isBehind()) return;
    if (leader.get() && !live.connected.get()) ask();
    else clock.after(leaderPatience, ask);
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
    // Who passes through works at once.
    if (now === 'page' || now === 'passed') returning.set(now === 'page');
    else if (returning.get())
      cancelReturn = clock.after(random() * status.get().returnWithin, () => {
        returning.set(false);
        reopened.tell();
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

/** Of the status and the flags what was changed last. */
function decideByLatest(status: Readable<KnownStatus>, flags: MaintenanceEdges['flags']): Readable<Decided> {
  const latest = createStore(readStatus(status.get()));
  let lastStatus = latest.get().at;
  status.subscribe(() => {
    const now = readStatus(status.get());
    // Older than the one before is only a status of a server whose clock was set back.
    if (now.at >= latest.get().at || now.at < lastStatus) latest.set(now);
    lastStatus = now.at;
  });
  watch(flags.state, ({ fresh, changedAt }) => {
    if (fresh && changedAt >= latest.get().at) latest.set(readFlags(flags.value, changedAt));
  });
  return latest;
}

/** What another flag host says; until it has answered, what the page was rendered with. */
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

function saysTheSame(a: Decided, b: Decided): boolean {
  return a.on === b.on && formatNotice(a) === formatNotice(b);
}
