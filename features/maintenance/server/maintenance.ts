import * as z from 'zod/mini';
import type { Core } from '#server/core.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';
import * as contract from '#features/maintenance/contract/windows.ts';
import { id, instant } from '#contract/text.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { jsonCursor } from '#server/platform/http/cursor.ts';
import { followFlagHost } from './flag-host.ts';
import { createLiveMaintenance, type Maintenance } from './live-maintenance.ts';
import { createOperations, type Operations } from './operations.ts';
import { historyPage } from './history.store.ts';
import { phaseAt } from './maintenance-at.ts';
import { readMaintenance, type StoredMaintenance } from './maintenance.store.ts';
import { findWindow, placeOf, windowPage, type StoredWindow } from './windows.store.ts';

/** Maintenance: the manual switch, planned windows, and the gate. */
export async function createMaintenance(core: Core) {
  const { flagsHost, dataDir } = core.config;
  const operations = createOperations(core.clock);
  let browsers = (): number => 0;
  const maintenance = await createLiveMaintenance({
    ...core,
    followed: flagsHost === null ? null : followFlagHost({ ...core, source: flagsHost }),
    operations,
    dataDir,
    browsers: () => browsers(),
  });
  return {
    ...maintenance,
    /**
     * @param count how many browsers are connected to this process, which are asked to reconnect spread over
     *   time
     */
    countsBrowsersBy(count: () => number) {
      browsers = count;
    },
    /**
     * @param projected resolves when the flags that this process serves show the maintenance that is in force
     */
    routes: (serve: Serve, projected: () => Promise<void>) =>
      maintenanceRoutes(serve, { ...core, maintenance, operations, projected }),
  };
}

const place = jsonCursor(z.tuple([instant, id]));

type MaintenanceRoutesOptions = Pick<Core, 'database' | 'clock'> & {
  maintenance: Maintenance;
  operations: Operations;
  /** Resolves when the flags that this process serves agree with `maintenance`. */
  projected: () => Promise<void>;
};

/** The public status, the manual switch and notice, the planned windows and what has happened. */
function maintenanceRoutes(serve: Serve, options: MaintenanceRoutesOptions): void {
  const { database, clock, maintenance, operations } = options;

  const status = () => ({ ...maintenance.now(), serverTime: clock.now() });

  /**
   * Changes maintenance, where it is changed here at all. At the time of the answer the gate, the page, the
   * status and the flags agree with it.
   */
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

  async function answer(stored: StoredMaintenance) {
    // With another flag host the own row is not used, and the host's state is shown.
    const shown = maintenance.source === 'flag-host' ? { ...stored, ...maintenance.now() } : stored;
    const names = await namesOf(database.read, [shown.changedBy]);
    return {
      ...shown,
      names,
      source: maintenance.source,
      heldOpen: maintenance.heldOpen(),
      inForce: status(),
    };
  }

  /** The phase by the clock, which may be ahead of the recorded one. */
  function withPhase(window: StoredWindow): StoredWindow {
    const phase = phaseAt(window, clock.now());
    return { ...window, phase, overAt: phase === 'ended' ? (window.overAt ?? window.endsAt) : window.overAt };
  }

  serve(contract.listWindows, async ({ query: { over, cursor, limit } }) => {
    const after = place.read(cursor);
    const found = await windowPage(database.read, { over, after, limit: limit + 1 });
    const windows = found.slice(0, limit);
    const last = windows.at(-1);
    const next = place.write(found.length > limit && last !== undefined ? placeOf(last) : null);
    return { windows: windows.map(withPhase), next };
  });

  serve(contract.getWindow, async ({ params }) => {
    const window = await findWindow(database.read, params.windowId);
    return withPhase(orNotFound(window, 'There is no such window.'));
  });

  serve(contract.planWindow, ({ body, caller }) => write((change) => operations.plan(change, caller, body)));

  serve(contract.changeWindow, ({ params, body, caller }) =>
    write((change) => operations.change(change, caller, params.windowId, body)),
  );

  serve(contract.warnOfWindow, ({ params, body, caller }) =>
    write((change) => operations.warn(change, caller, params.windowId, body)),
  );

  serve(contract.startWindow, ({ params, body, caller }) =>
    write((change) => operations.start(change, caller, params.windowId, body)),
  );

  serve(contract.extendWindow, ({ params, body, caller }) =>
    write((change) => operations.extend(change, caller, params.windowId, body)),
  );

  serve(contract.endWindow, ({ params, body, caller }) =>
    write((change) => operations.end(change, caller, params.windowId, body)),
  );

  serve(contract.cancelWindow, ({ params, body, caller }) =>
    write((change) => operations.cancel(change, caller, params.windowId, body)),
  );

  serve(contract.removeFinishedText, ({ params, body, caller }) =>
    write((change) => operations.removeText(change, caller, params.windowId, body)),
  );

  serve(contract.listMaintenanceHistory, async ({ query: { windowId, cursor, limit } }) => {
    const after = place.read(cursor);
    const found = await historyPage(database.read, { windowId, after, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    const next = place.write(found.length > limit && last !== undefined ? [last.at, last.id] : null);
    const names = await namesOf(
      database.read,
      entries.map(({ by }) => by),
    );
    return { entries, names, next };
  });
}
