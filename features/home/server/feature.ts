import { getHome, type Home } from '#features/home/contract/home.ts';
import { listOwnChanges } from '#features/home/contract/own-changes.ts';
import { feature } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import type { AccessControl } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { openWindows, type StoredWindow } from '#features/maintenance/server/windows.store.ts';
import { homeRoutes } from './home.routes.ts';
import { readApps, readOrder } from './home.store.ts';
import { ownChanges, ownChangesPeriod } from './own-changes.ts';
import { asTile, listApplications, mayOpen } from './listed-apps.ts';

export const homeFeature = feature({
  create: createHome,
  fates: {
    home_app: {
      'not personal': ['key', 'right_name', 'picture_id', 'picture_type'],
      'free text': [
        'name',
        'name_en',
        'name_de',
        'name_fr',
        'description',
        'description_en',
        'description_de',
        'description_fr',
        'address',
      ],
    },
    home_order: { 'not personal': ['keys'] },
  },
  names: {
    'home-app': async (read, ids) => {
      const rows = await read
        .selectFrom('home_app')
        .select(['key', 'name'])
        .where('key', 'in', ids)
        .execute();
      return rows.map((row) => [row.key, row.name]);
    },
  },
});

type HomeParts = {
  rightsOf: AccessControl['rightsOf'];
  maintenance: { heldOpen(): boolean; readonly source: 'portico' | 'flag-host' };
};

/** The home screen: the applications that a person may open, and the next maintenance (HOME-1), from memory. */
async function createHome(core: Core, { rightsOf, maintenance }: HomeParts) {
  const { config, database, feed, clock, logger } = core;
  const memory = await memoryOf({
    async read() {
      const [stored, order, windows] = await Promise.all([
        readApps(database.read),
        readOrder(database.read),
        maintenance.source === 'portico' ? openWindows(database.read) : [],
      ]);
      return { apps: listApplications(stored, order.keys, core), windows };
    },
    feed,
    topics: ['home', 'maintenance'],
    logger,
    failure: 'the applications of the home screen could not be read; it is tried again',
  });

  return {
    routes(serve: Serve) {
      serve(getHome, async ({ caller }): Promise<Home> => {
        const rights = await rightsOf(caller);
        await memory.caughtUp();
        const { apps, windows } = memory.current();
        return {
          apps: apps.filter((app) => mayOpen(app, rights)).map((app) => asTile(app, config.basePath)),
          nextMaintenance: maintenance.heldOpen() ? null : nextOf(windows, clock.now()),
        };
      });
      serve(listOwnChanges, ({ caller }) =>
        ownChanges(database.longReads, caller.id, clock.now() - ownChangesPeriod),
      );
      homeRoutes(serve, core);
    },
    close: memory.close,
  };
}

/** The first that has not started and does more than show a notice. */
function nextOf(windows: readonly StoredWindow[], now: number): Home['nextMaintenance'] {
  for (const { mode, startsAt, endsAt, phase } of windows) {
    if (mode !== 'announce' && startsAt > now && (phase === 'scheduled' || phase === 'imminent'))
      return { mode, startsAt, endsAt };
  }
  return null;
}
