import type { Boot } from '@portico/contract/boot';
import {
  formatNotice,
  getMaintenanceStatus,
  maintenanceFlag,
  type MaintenanceMode,
  maintenanceTextFlag,
  type Notice,
  parseNotice,
} from '@portico/contract/maintenance';
import type { Broadcast } from '../../../platform/broadcast.ts';
import type { Api } from '../../../platform/call.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Can } from '../../../platform/contexts.tsx';
import { createPoller } from '../../../platform/poller.ts';
import type { ErrorRecord } from '../../../platform/record-error.ts';
import type { ServerClock } from '../../../platform/server-clock.ts';
import { createSignal, createStore, derive, type Readable, watch } from '../../../platform/store.ts';
import type { TabMemory } from '../../../platform/tab-memory.ts';
import type { TabPresence } from '../../../platform/tab-presence.ts';
import type { StatusMessage } from '../status-message.ts';

/*
 * Maintenance, as a member's tab sees it. Two sources, each for what it knows best:
 *
 * 1. The two flags decide whether the application is closed and what the notice says (MAINT-1). They arrive by the flag stream
 *    at once. Until the flag host has answered, what the page was rendered with holds; an old cache never decides (MAINT-2).
 * 2. `GET /v1/maintenance/status` adds what flags do not say: read only, and the expected end. It is read when the stream
 *    moves, when a call was refused for maintenance, when a person returns, and once a minute by the leading tab.
 */

export type MaintenanceState = Notice & {
  /** MAINTENANCE is on. */
  readonly on: boolean;
  readonly mode: MaintenanceMode;
  /** Milliseconds since the epoch by the server, or null. */
  readonly expectedEnd: number | null;
};

/**
 * What the gate says: `page`: the maintenance page covers the application (MAINT-3). `passed`: it would, but this person has
 * passed through (MAINT-4). `read-only`: everything can be looked at, changes are refused (MAINT-6). `open`: nothing.
 */
export type GateView = 'page' | 'passed' | 'read-only' | 'open';

export type Maintenance = {
  readonly state: Readable<MaintenanceState>;
  readonly gate: Readable<GateView>;
  /** Whether this person may pass through the page. */
  readonly mayPass: Readable<boolean>;
  /** Passes through, for this browser session and this maintenance; does nothing for who may not. */
  pass(): void;
  /** Back to the page. */
  unpass(): void;
  /** It is over, and data may be loaded again: told up to 2 s later than the page goes, so that not everybody asks at once. */
  onReopened(listener: () => void): () => void;
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
  flags: {
    /** `fresh`: the flag host has answered since the page was opened. */
    readonly state: Readable<{ readonly fresh: boolean }>;
    value(key: string, fallback: boolean | string): unknown;
    onStreamMessage(listener: () => void): () => void;
    refresh(): Promise<void>;
  };
  /** `known`: the rights of whoever is signed in have been loaded. */
  rights: { readonly can: Readable<Can>; readonly known: Readable<boolean> };
};

const every = 60_000;
const longestReopening = 2_000;
const leaderPatience = 2_000;
const passedKey = 'portico.maintenance.passed';

export function createMaintenance(edges: MaintenanceEdges): Maintenance {
  const { boot, api, clock, random, broadcast, memory, errors, flags, rights } = edges;
  const status = createStore<Pick<MaintenanceState, 'mode' | 'expectedEnd'>>(
    { mode: boot.mode, expectedEnd: boot.expectedEnd },
    (a, b) => a.mode === b.mode && a.expectedEnd === b.expectedEnd,
  );
  const passed = createStore(memory.read(passedKey) !== null);
  const reopened = createSignal();
  let failing = false;
  let heard = 0;

  const decided = derive(
    [flags.state],
    ({ fresh }) => (fresh ? readFlags(flags.value) : readBoot(boot)),
    same,
  );
  const state = derive(
    [decided, status],
    (own, { mode, expectedEnd }): MaintenanceState => ({ ...own, mode, expectedEnd }),
    (a, b) => same(a, b) && a.mode === b.mode && a.expectedEnd === b.expectedEnd,
  );
  const mayPass = derive([rights.can], (can) => can('MAINTENANCE_BYPASS'));
  const gate = derive(
    [state, passed, mayPass, rights.known],
    ({ on, mode }, through, may, known): GateView => {
      // Who had passed before a reload does not see the page flash by while the rights are on their way.
      if (on) return through && (may || !known) ? 'passed' : 'page';
      return mode === 'read-only' ? 'read-only' : 'open';
    },
  );

  async function readStatus(signal: AbortSignal): Promise<boolean> {
    try {
      const sentAt = clock.now();
      const { mode, text, severity, expectedEnd, serverTime } = await api.call(
        getMaintenanceStatus,
        {},
        { signal },
      );
      if (signal.aborted) return false;
      edges.serverClock.observe(serverTime, sentAt, clock.now());
      failing = false;
      status.set({ mode, expectedEnd });
      broadcast.post({ mode, text, severity, expectedEnd, streaming: edges.leader.get() });
      return true;
    } catch (error) {
      if (!signal.aborted && !failing) errors.record('maintenance.status', error);
      failing = !signal.aborted;
      return false;
    }
  }

  const poller = createPoller(edges, { every, enabled: createStore(true), poll: readStatus, known: true });

  broadcast.subscribe(({ mode, expectedEnd }) => {
    heard += 1;
    status.set({ mode, expectedEnd });
    poller.heard();
  });
  flags.onStreamMessage(() => void poller.now());
  api.onProblem(({ code }) => {
    if (code !== 'MAINTENANCE') return;
    void poller.now();
    void flags.refresh();
  });

  // The status knows until when. All tabs hear of the flags at once; the leading one asks for all of them.
  decided.subscribe(() => {
    const heardBefore = heard;
    if (edges.leader.get()) void poller.now();
    else clock.after(leaderPatience, () => (heard === heardBefore ? void poller.now() : undefined));
  });
  watch(
    derive([state], ({ on }) => on),
    (on) => {
      if (!on) setPassed(false);
    },
  );
  let before = gate.get();
  gate.subscribe(() => {
    const now = gate.get();
    if (before === 'page' && !state.get().on) clock.after(random() * longestReopening, reopened.tell);
    before = now;
  });

  function setPassed(through: boolean): void {
    memory.write(passedKey, through ? '1' : null);
    passed.set(through);
  }

  return {
    state,
    gate,
    mayPass,
    pass() {
      if (state.get().on && mayPass.get()) setPassed(true);
    },
    unpass: () => setPassed(false),
    onReopened: reopened.subscribe,
    refresh: poller.now,
  };
}

type Flagged = Notice & { readonly on: boolean };

function readFlags(value: MaintenanceEdges['flags']['value']): Flagged {
  const text = value(maintenanceTextFlag, '');
  return { on: value(maintenanceFlag, false) === true, ...parseNotice(typeof text === 'string' ? text : '') };
}

function readBoot({ mode, text, severity }: Boot['maintenance']): Flagged {
  return { on: mode === 'full', maintenanceText: text.trim(), maintenanceTextSeverity: severity };
}

function same(a: Flagged, b: Flagged): boolean {
  return a.on === b.on && formatNotice(a) === formatNotice(b);
}
