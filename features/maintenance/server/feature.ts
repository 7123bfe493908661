import * as z from 'zod/mini';
import { id, instant } from '#contract/text.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';
import * as contract from '#features/maintenance/contract/windows.ts';
import type { Core } from '#server/core.ts';
import { feature, namesIn } from '#server/feature.ts';
import type { Ground } from '#server/ground.ts';
import type { Change } from '#server/platform/database/database.ts';
import { jsonCursor } from '#server/platform/http/cursor.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { historyPage } from './history.store.ts';
import { phaseAt } from './maintenance-at.ts';
import { readMaintenance, type StoredMaintenance } from './maintenance.store.ts';
import { findWindow, placeOf, windowPage, type StoredWindow } from './windows.store.ts';

export const maintenanceFeature = feature({
  create: (core, ground) => ({
    ...ground.maintenance,
    routes: (serve) => maintenanceRoutes(serve, core, ground),
  }),
  fates: {
    maintenance: {
      'not personal': ['mode', 'severity'],
      name: ['changed_by'],
      id: ['changed_by_id'],
      'free text': ['text', 'texts'],
    },
    maintenance_window: {
      'not personal': ['id', 'severity', 'mode', 'time_zone', 'phase'],
      name: ['created_by', 'changed_by'],
      id: ['created_by_id', 'changed_by_id'],
      'free text': ['title', 'text', 'texts'],
    },
    maintenance_history: {
      'not personal': ['id', 'deed', 'window_id'],
      name: ['by'],
      id: ['by_id'],
      'free text': ['title', 'facts'],
    },
  },
  names: {
    'maintenance-window': namesIn('maintenance_window', 'id', 'title'),
  },
});

const place = jsonCursor(z.tuple([instant, id]));

/** The public status, the manual switch and notice, the planned windows and what has happened. */
function maintenanceRoutes(serve: Serve, { database, clock }: Core, { maintenance, flags }: Ground): void {
  const { operations } = maintenance;
  const status = () => ({ ...maintenance.now(), serverTime: clock.now() });

  /**
   * Changes maintenance; throws CONFLICT where another flag host decides it. When this resolves, the gate, the
   * page, the status and the flags agree with the change.
   */
  async function write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    if (maintenance.source === 'flag-host') {
      throw new HttpProblem('CONFLICT', {
        detail: 'Maintenance is set on the flag host that FLAGS_HOST names.',
      });
    }
    const done = await database.change(work);
    await maintenance.caughtUp();
    await flags.caughtUp();
    return done;
  }

  serve(getMaintenanceStatus, status);

  serve(getMaintenance, async () => answer(await readMaintenance(database.read)));

  serve(setMaintenance, async ({ body, caller }) =>
    answer(await write((change) => operations.setSwitch(change, caller, body))),
  );

  async function answer(stored: StoredMaintenance) {
    // With another flag host, the state of that host is shown in place of the stored row.
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
