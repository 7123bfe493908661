import type { Clock } from '#server/platform/time/clock.ts';
import type { Change } from '#server/platform/database/database.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import type { StoredMaintenance, MaintenanceDraft } from './maintenance.store.ts';
import { windowOperations, type WindowOperations } from './change-windows.ts';
import { noteHeldOpen, setSwitch } from './change-switch.ts';
import { recordPhases } from './record-phases.ts';

/** Everything that changes maintenance; each takes the transaction in which it happens, and publishes it. */
export type Operations = WindowOperations & {
  /** Throws VERSION_CONFLICT, INVALID_BODY. */
  setSwitch(change: Change, actor: Actor, draft: MaintenanceDraft): Promise<StoredMaintenance>;
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
    ...windowOperations(clock),
    setSwitch: (change, ...rest) => setSwitch(change, clock, ...rest),
    recordPhases: (change, { backward }) => recordPhases(change, clock, backward),
    noteHeldOpen: (change, heldOpen) => noteHeldOpen(change, clock, heldOpen),
  };
}
