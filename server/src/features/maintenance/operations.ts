import type { BodyOf } from '@portico/contract/route';
import type {
  changeWindow,
  extendWindow,
  MaintenanceWindow,
  planWindow,
} from '@portico/contract/maintenance/windows';
import type { Clock } from '../../platform/time/clock.ts';
import type { Change } from '../../platform/database/database.ts';
import type { Actor } from '../audit/audit.store.ts';
import type { StoredMaintenance, MaintenanceDraft } from './maintenance.store.ts';

import * as windows from './change-windows.ts';
import { noteHeldOpen, setSwitch } from './change-switch.ts';
import { recordPhases } from './record-phases.ts';

type Versioned = { version: number };

/** Everything that changes maintenance; each takes the transaction in which it happens, and publishes it. */
export type Operations = {
  /** Throws VERSION_CONFLICT, INVALID_BODY. */
  setSwitch(change: Change, actor: Actor, draft: MaintenanceDraft): Promise<StoredMaintenance>;
  /** Throws INVALID_BODY, WINDOW_OVERLAPS. */
  plan(change: Change, actor: Actor, draft: BodyOf<typeof planWindow>): Promise<MaintenanceWindow>;
  /** These throw NOT_FOUND, WINDOW_OVER and VERSION_CONFLICT too, and CONFLICT where the window has not come or has gone that far. */
  change(
    change: Change,
    actor: Actor,
    id: string,
    draft: BodyOf<typeof changeWindow>,
  ): Promise<MaintenanceWindow>;
  warn(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  start(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  extend(
    change: Change,
    actor: Actor,
    id: string,
    known: BodyOf<typeof extendWindow>,
  ): Promise<MaintenanceWindow>;
  end(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  cancel(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  /** Ends every window that is in force; answers them. */
  endAll(change: Change, actor: Actor): Promise<MaintenanceWindow[]>;
  /**
   * Records the phases that time has brought, each once, on whichever replica comes first.
   *
   * @param backward also those that a clock has left again which was set back
   */
  recordPhases(change: Change, options: { backward: boolean }): Promise<void>;
  /**
   * Records once that the break-glass file has appeared or gone, and sends webhooks what is in force with
   * that.
   */
  noteHeldOpen(change: Change, heldOpen: boolean): Promise<void>;
};

export function createOperations(clock: Clock): Operations {
  return {
    setSwitch: (change, ...rest) => setSwitch(change, clock, ...rest),
    plan: (change, ...rest) => windows.planWindow(change, clock, ...rest),
    change: (change, ...rest) => windows.changeWindow(change, clock, ...rest),
    warn: (change, ...rest) => windows.warnOfWindow(change, clock, ...rest),
    start: (change, ...rest) => windows.startWindow(change, clock, ...rest),
    extend: (change, ...rest) => windows.extendWindow(change, clock, ...rest),
    end: (change, ...rest) => windows.endWindow(change, clock, ...rest),
    cancel: (change, ...rest) => windows.cancelWindow(change, clock, ...rest),
    endAll: (change, ...rest) => windows.endAllWindows(change, clock, ...rest),
    recordPhases: (change, { backward }) => recordPhases(change, clock, backward),
    noteHeldOpen: (change, heldOpen) => noteHeldOpen(change, clock, heldOpen),
  };
}
