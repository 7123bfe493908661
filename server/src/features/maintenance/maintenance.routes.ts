import { getMaintenance, getMaintenanceStatus, setMaintenance } from '@portico/contract/maintenance';
import {
  cancelWindow,
  changeWindow,
  endWindow,
  extendWindow,
  getWindow,
  listMaintenanceHistory,
  listWindows,
  planWindow,
  startWindow,
  warnOfWindow,
} from '@portico/contract/maintenance-windows';
import type { Clock } from '../../platform/clock.ts';
import type { Change, Database } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Serve } from '../../platform/serve.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { historyPage } from './history.store.ts';
import { phaseAt } from './maintenance-at.ts';
import type { Maintenance } from './maintenance.ts';
import { readMaintenance, type KeptMaintenance } from './maintenance.store.ts';
import type { Operations } from './operations.ts';
import { findWindow, placeOf, windowPage, type KeptWindow } from './windows.store.ts';

export type MaintenanceRoutesOptions = {
  database: Database;
  clock: Clock;
  maintenance: Maintenance;
  operations: Operations;
  /** Resolves when the flags that this process serves say what `maintenance` says. */
  projected: () => Promise<void>;
};

/** The public status, the manual switch and notice, the planned windows and what has happened. */
export function maintenanceRoutes(serve: Serve, options: MaintenanceRoutesOptions): void {
  const { database, clock, maintenance, operations } = options;

  const status = () => ({ ...maintenance.now(), serverTime: clock.now() });

  /** Changes maintenance, where it is changed here at all; whoever reads the answer finds the gate, the page, the status and the flags as it says. */
  async function write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    if (maintenance.source === 'flag-host') {
      throw new HttpProblem('CONFLICT', {
        detail: 'Maintenance is set on the flag host that FLAGS_HOST names.',
      });
    }
    const done = await database.change(work);
    await maintenance.caughtUp();
    await options.projected();
    return done;
  }

  serve(getMaintenanceStatus, status);

  serve(getMaintenance, async () => answer(await readMaintenance(database.read)));

  serve(setMaintenance, async ({ body, caller }) =>
    answer(await write((change) => operations.setSwitch(change, caller, body))),
  );

  function answer(kept: KeptMaintenance) {
    // With another flag host the own row is asleep; what is in force is what is shown.
    const shown = maintenance.source === 'flag-host' ? { ...kept, ...maintenance.now() } : kept;
    return { ...shown, source: maintenance.source, heldOpen: maintenance.heldOpen(), inForce: status() };
  }

  /** By the clock, which may be a moment ahead of what is recorded. */
  function standing(window: KeptWindow): KeptWindow {
    const phase = phaseAt(window, clock.now());
    return { ...window, phase, overAt: phase === 'ended' ? (window.overAt ?? window.endsAt) : window.overAt };
  }

  serve(listWindows, async ({ query: { over, cursor, limit } }) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    const found = await windowPage(database.read, { over, after, limit: limit + 1 });
    const windows = found.slice(0, limit);
    const last = windows.at(-1);
    const next = found.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null;
    return { windows: windows.map(standing), next };
  });

  serve(getWindow, async ({ params }) => {
    const window = await findWindow(database.read, params.windowId);
    if (window === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such window.' });
    return standing(window);
  });

  serve(planWindow, ({ body, caller }) => write((change) => operations.plan(change, caller, body)));

  serve(changeWindow, ({ params, body, caller }) =>
    write((change) => operations.change(change, caller, params.windowId, body)),
  );

  serve(warnOfWindow, ({ params, body, caller }) =>
    write((change) => operations.warn(change, caller, params.windowId, body)),
  );

  serve(startWindow, ({ params, body, caller }) =>
    write((change) => operations.start(change, caller, params.windowId, body)),
  );

  serve(extendWindow, ({ params, body, caller }) =>
    write((change) => operations.extend(change, caller, params.windowId, body)),
  );

  serve(endWindow, ({ params, body, caller }) =>
    write((change) => operations.end(change, caller, params.windowId, body)),
  );

  serve(cancelWindow, ({ params, body, caller }) =>
    write((change) => operations.cancel(change, caller, params.windowId, body)),
  );

  serve(listMaintenanceHistory, async ({ query: { windowId, cursor, limit } }) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    const found = await historyPage(database.read, { windowId, after, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    const next = found.length > limit && last !== undefined ? writeCursor([last.at, last.id]) : null;
    return { entries, next };
  });
}
