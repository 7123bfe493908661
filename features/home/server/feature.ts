import * as contract from '#features/home/contract/apps.ts';
import { getAppPicture, getHome, type Home, listOwnChanges } from '#features/home/contract/home.ts';
import { feature, namesIn } from '#server/feature.ts';
import type { Core } from '#server/core.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import type { Ground } from '#server/ground.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { openWindows, type StoredWindow } from '#features/maintenance/server/windows.store.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { HttpProblem, invalid, orNotFound, refuseStale } from '#server/platform/http/http-problem.ts';
import { newId } from '#server/platform/keys/ids.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { MarkError, readMark, type Mark } from '#features/branding/server/read-mark.ts';
import { sendMark } from '#features/branding/server/branding.ts';
import { unknownRights } from '#features/permissions/server/rules.store.ts';
import * as store from './home.store.ts';
import { ownChanges, ownChangesPeriod } from './own-changes.ts';
import { asTile, listApplications, mayOpen, asManaged, keyOfUpstream } from './listed-apps.ts';

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
    'home-app': namesIn('home_app', 'key', 'name'),
  },
});

/** The home screen: the applications that a person may open, and the next maintenance (HOME-1), from memory. */
async function createHome(core: Core, { rightsOf, maintenance }: Ground) {
  const { config, database, feed, clock, logger } = core;
  const memory = await memoryOf({
    async read() {
      const [stored, order, windows] = await Promise.all([
        store.readApps(database.read),
        store.readOrder(database.read),
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

/** The first window that has not started and does more than show a notice. */
function nextOf(windows: readonly StoredWindow[], now: number): Home['nextMaintenance'] {
  for (const { mode, startsAt, endsAt, phase } of windows) {
    if (mode !== 'announce' && startsAt > now && (phase === 'scheduled' || phase === 'imminent'))
      return { mode, startsAt, endsAt };
  }
  return null;
}

type Look = Omit<store.AppDraft, 'key' | 'address' | 'shown' | 'picture'> & {
  picture?: { data: string } | null | undefined;
};

const gone = 'There is no such application.';

/** What operators do about the applications of the home screen. */
function homeRoutes(serve: Serve, core: Core): void {
  const { config, database } = core;

  serve(contract.listApps, () => managedApps(database.read));

  serve(contract.addApp, async ({ body: { address, ...look }, caller }) => {
    const draft = {
      key: newId(),
      address: checkedAddress(address),
      shown: true,
      ...(await withPicture(look)),
    };
    return database.change(async (change) => {
      if ((await store.countListed(change.tx)) >= contract.mostApps)
        throw new HttpProblem('CONFLICT', { detail: `There are ${contract.mostApps} applications already.` });
      return write(change, caller, draft, null);
    });
  });

  serve(contract.changeApp, async ({ params, body: { address, version, ...look }, caller }) => {
    const draft = {
      key: params.id,
      address: checkedAddress(address),
      shown: true,
      ...(await withPicture(look)),
    };
    return database.change(async (change) => {
      const before = orNotFound(await store.readApp(change.tx, params.id), gone);
      refuseStale(before, version);
      return write(change, caller, draft, before);
    });
  });

  serve(contract.removeApp, ({ params, caller }) =>
    database.change(async (change) => {
      const before = orNotFound(await store.readApp(change.tx, params.id), gone);
      await store.deleteApp(change, before.key);
      await recordAudit(change, caller, {
        action: 'home-app.delete',
        subject: before.key,
        before: audited(before),
      });
    }),
  );

  serve(contract.changeGatewayApp, async ({ params, body: { shown, version, ...look }, caller }) => {
    const key = keyOfUpstream(params.upstream);
    const draft = { key, address: null, shown, ...(await withPicture(look)) };
    return database.change(async (change) => {
      const { apps } = await managedApps(change.tx);
      orNotFound(
        apps.find((app) => app.key === key),
        gone,
      );
      const before = await store.readApp(change.tx, key);
      if ((before?.version ?? null) !== version) throw new HttpProblem('VERSION_CONFLICT');
      return write(change, caller, draft, before);
    });
  });

  serve(contract.orderApps, ({ body: { keys, version }, caller }) =>
    database.change(async (change) => {
      const before = await store.readOrder(change.tx);
      refuseStale(before, version);
      await store.writeOrder(change, [...new Set(keys)]);
      const after = await store.readOrder(change.tx);
      await recordAudit(change, caller, {
        action: 'home-order.update',
        subject: 'order',
        before: { names: before.keys },
        after: { names: after.keys },
      });
      return { orderVersion: after.version };
    }),
  );

  serve(getAppPicture, async ({ params, request, reply }) =>
    sendMark(
      orNotFound(await store.readPicture(database.read, params.pictureId), 'There is no such picture.'),
      {
        request,
        reply,
        filename: 'application',
      },
    ),
  );

  async function managedApps(read: Reader) {
    const [stored, order] = await Promise.all([store.readApps(read), store.readOrder(read)]);
    const unknown = await unknownRights(
      read,
      stored.flatMap(({ right }) => right ?? []),
    );
    return {
      apps: listApplications(stored, order.keys, core).map((app) => asManaged(app, config.basePath, unknown)),
      most: contract.mostApps,
      orderVersion: order.version,
    };
  }

  async function write(
    change: Change,
    caller: Caller,
    draft: store.AppDraft,
    before: store.StoredApp | null,
  ) {
    if (draft.right !== null && (await unknownRights(change.tx, [draft.right])).length > 0)
      throw invalid('/right', 'unknown', 'is no right of the catalogue');
    await store.writeApp(change, draft);
    const after = orNotFound(await store.readApp(change.tx, draft.key), gone);
    await recordAudit(change, caller, {
      action: before === null && draft.address !== null ? 'home-app.create' : 'home-app.update',
      subject: draft.key,
      ...(before === null ? {} : { before: audited(before) }),
      after: audited(after),
    });
    const { apps } = await managedApps(change.tx);
    return orNotFound(
      apps.find(({ key }) => key === draft.key),
      gone,
    );
  }
}

/** The application without its key, which is the subject of the audit entry. */
function audited({ key: _key, ...app }: store.StoredApp): object {
  return app;
}

/** Checks an address; throws INVALID_BODY for one that browsers could not open. */
function checkedAddress(address: string): string {
  if (!URL.canParse(address))
    throw invalid('/address', 'address', 'is not an address that browsers can open');
  return address;
}

/** Throws INVALID_BODY for a file that is no picture. */
async function withPicture({
  picture,
  ...look
}: Look): Promise<Omit<store.AppDraft, 'key' | 'address' | 'shown'>> {
  if (picture === undefined) return look;
  return { ...look, picture: picture === null ? null : await pictureOf(picture.data) };
}

async function pictureOf(data: string): Promise<Mark> {
  try {
    return await readMark(data);
  } catch (error) {
    if (!(error instanceof MarkError)) throw error;
    throw invalid('/picture', error.mistake, error.message);
  }
}
