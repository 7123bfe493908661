import type { Boot } from '#contract/boot.ts';
import {
  formatNotice,
  maintenanceFlag,
  maintenanceTextFlag,
  type Notice,
  parseNotice,
} from '#features/maintenance/contract/maintenance.ts';
import { createStore, derive, type Readable, watch } from '#web/platform/state/store.ts';
import type { KnownStatus } from '../status-message.ts';

/** The two flags of maintenance, as they are read. */
export type MaintenanceFlags = {
  /** They come from Portico itself, as the status does. */
  readonly own: boolean;
  /**
   * `fresh`: the flag host has answered since the page was opened. `changedAt`: the time of what is in force,
   * by the host.
   */
  readonly state: Readable<{ readonly fresh: boolean; readonly changedAt: number }>;
  value(key: string, fallback: boolean | string): unknown;
};

/** Whether maintenance is on, and the notice. */
export type Decided = Notice & {
  readonly on: boolean;
  /** Since when, by the server. */ readonly at: number;
};

/** Of the status and the flags, the one that was changed last. */
export function decideByLatest(status: Readable<KnownStatus>, flags: MaintenanceFlags): Readable<Decided> {
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
export function decideByFlags(boot: Boot['maintenance'], flags: MaintenanceFlags): Readable<Decided> {
  return derive([flags.state], ({ fresh }) => (fresh ? readFlags(flags.value, 0) : readStatus(boot, 0)));
}

function readFlags(value: MaintenanceFlags['value'], at: number): Decided {
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

export function isSame(a: Decided, b: Decided): boolean {
  return a.on === b.on && formatNotice(a) === formatNotice(b);
}
