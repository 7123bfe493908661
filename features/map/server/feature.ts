import { feature } from '#server/feature.ts';
import { listMapLayers, type MapLayer, mapLayerList } from '#features/map/contract/map.ts';
import * as contract from '#features/map/contract/manage.ts';
import type { Core } from '#server/core.ts';
import type { Ground } from '#server/ground.ts';
import type { Change } from '#server/platform/database/database.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { HttpProblem, invalid, orNotFound, refuseStale } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { unknownRights } from '#features/permissions/server/rules.store.ts';
import type { Catalogue } from './layer-catalogue.ts';
import { type LayerRights, type LayerRules, rightOfLayer, workspaceOf } from './layer-rights.ts';
import * as store from './map.store.ts';
import type { ListedLayer } from './capabilities/read-capabilities.ts';

/** The layers as members see them, and what operators decide about them. */
function mapRoutes(
  serve: Serve,
  { database }: Core,
  { map: { catalogue, layerRights, check }, permissions: { rightsOf } }: Ground,
): void {
  const stateNow = (): 'none' | 'ready' | 'unavailable' =>
    catalogue === null ? 'none' : catalogue.isAvailable() ? 'ready' : 'unavailable';

  serve(listMapLayers, async ({ caller }) => {
    const known = (await catalogue?.get()) ?? null;
    const rights = await layerRights();
    if (known === null || rights === null)
      return { server: stateNow(), readAt: null, layers: [], projections: [], formats: [], infoFormats: [] };
    const [stored, order, holds] = await Promise.all([
      store.readLayers(database.read),
      store.readOrder(database.read),
      rightsOf(caller),
    ]);
    return {
      server: stateNow(),
      readAt: known.readAt,
      layers: shownLayers(known.layers, { stored, order: order.names, rights, holds }),
      projections: [...known.projections],
      formats: [...known.formats],
      infoFormats: [...known.infoFormats],
    };
  });

  serve(contract.listManagedLayers, async () => {
    const known = (await catalogue?.get()) ?? null;
    const [stored, workspaces, order] = await Promise.all([
      store.readLayers(database.read),
      store.readWorkspaces(database.read),
      store.readOrder(database.read),
    ]);
    const rules = { layers: stored, workspaces };
    return {
      server: stateNow(),
      readAt: known?.readAt ?? null,
      layers: allLayers(known?.layers ?? [], { stored, rules, order: order.names }),
      workspaces: workspacesFrom(known?.layers ?? [], workspaces),
      orderVersion: order.version,
    };
  });

  async function managed(
    change: Change,
    name: string,
    known: Catalogue | null,
  ): Promise<contract.ManagedLayer> {
    const [stored, rules] = [await store.readLayer(change.tx, name), await store.readRules(change.tx)];
    const listed = known?.layers.find((layer) => layer.name.toLowerCase() === name.toLowerCase()) ?? null;
    return managedFrom(listed, stored, rules, name);
  }

  serve(contract.changeLayer, async ({ body: { version, ...layer }, caller }) => {
    // Read before the transaction, which would block other writes while the map server answers.
    const known = (await catalogue?.get()) ?? null;
    return database.change(async (change) => {
      const before = await store.readLayer(change.tx, layer.name);
      refuseStale(before, version);
      await refuseUnknownRight(change, layer.right);
      if (before === null && (await store.countLayers(change.tx)) >= contract.most.described)
        throw new HttpProblem('CONFLICT', { detail: `There are ${contract.most.described} layers already.` });
      await store.writeLayer(change, layer);
      const after = await store.readLayer(change.tx, layer.name);
      await recordAudit(change, caller, {
        action: 'map-layer.update',
        subject: layer.name,
        before: before ?? undefined,
        after: after ?? undefined,
      });
      publish(change);
      return managed(change, layer.name, known);
    });
  });

  serve(contract.forgetLayer, ({ body: { name, version }, caller }) =>
    database.change(async (change) => {
      const before = orNotFound(
        await store.readLayer(change.tx, name),
        'Nothing was decided about this layer.',
      );
      refuseStale(before, version);
      await store.deleteLayer(change, name);
      await recordAudit(change, caller, { action: 'map-layer.delete', subject: name, before });
      publish(change);
    }),
  );

  serve(contract.changeWorkspace, async ({ body: { version, ...workspace }, caller }) => {
    const known = (await catalogue?.get()) ?? null;
    return database.change(async (change): Promise<contract.WorkspaceAccess> => {
      const all = await store.readWorkspaces(change.tx);
      const before = all.get(workspace.name.toLowerCase()) ?? null;
      refuseStale(before, version);
      await refuseUnknownRight(change, workspace.right);
      if (before === null && all.size >= contract.most.workspaces)
        throw new HttpProblem('CONFLICT', {
          detail: `There are ${contract.most.workspaces} workspaces already.`,
        });
      await store.writeWorkspace(change, workspace);
      const after = orNotFound(
        await store.readWorkspace(change.tx, workspace.name),
        'There is no such workspace.',
      );
      await recordAudit(change, caller, {
        action: 'map-workspace.update',
        // The empty name stands for all layers.
        subject: workspace.name || '*',
        before: before ?? undefined,
        after,
      });
      publish(change);
      const listed = workspacesFrom(known?.layers ?? [], new Map([[after.name.toLowerCase(), after]]));
      return orNotFound(
        listed.find(({ name }) => name.toLowerCase() === after.name.toLowerCase()),
        'There is no such workspace.',
      );
    });
  });

  serve(contract.orderLayers, ({ body: { names, version }, caller }) =>
    database.change(async (change) => {
      const before = await store.readOrder(change.tx);
      refuseStale(before, version);
      await store.writeOrder(change, [...new Set(names)]);
      const after = await store.readOrder(change.tx);
      await recordAudit(change, caller, {
        action: 'map-order.update',
        subject: 'order',
        before: { names: before.names },
        after: { names: after.names },
      });
      publish(change);
      return { orderVersion: after.version };
    }),
  );

  serve(contract.checkMapServer, ({ caller }) => check(caller));
}

/** Makes the guards of all replicas read the rules again, and open maps load their layers again. */
function publish(change: Change): void {
  change.publish('map');
  publishList(change, mapLayerList);
}

async function refuseUnknownRight(change: Change, right: string | null): Promise<void> {
  if (right === null) return;
  const unknown = await unknownRights(change.tx, [right]);
  if (unknown.length > 0) throw invalid('/right', 'unknown', 'is no right of the catalogue');
}

const noTitles = { en: '', de: '', fr: '' };

/** The layers that can be drawn one by one and that the person may see; groups are their headings. */
function shownLayers(
  listed: readonly ListedLayer[],
  by: {
    stored: ReadonlyMap<string, store.StoredLayer>;
    order: readonly string[];
    rights: LayerRights;
    holds: ReadonlySet<string>;
  },
): MapLayer[] {
  const shown = listed.filter(
    ({ isGroup, isDrawn, name }) =>
      !isGroup && isDrawn && by.rights.visible(name, null, by.holds) === 'whole',
  );
  return ordered(shown, by.order).map(
    ({ holds: _holds, isGroup: _isGroup, isDrawn: _isDrawn, dimensions: _dimensions, ...layer }) => {
      const decided = by.stored.get(layer.name.toLowerCase());
      return { ...layer, titles: decided?.titles ?? noTitles, onAtFirst: decided?.onAtFirst ?? false };
    },
  );
}

/** The layers in `names`, in that order; then the other layers in their own order. */
function ordered<T extends { name: string }>(layers: readonly T[], names: readonly string[]): T[] {
  const places = new Map(names.map((name, place) => [name.toLowerCase(), place]));
  const placeOf = ({ name }: T): number => places.get(name.toLowerCase()) ?? names.length;
  return layers.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** All layers that the map server lists, then the layers with stored rules that it no longer lists. */
function allLayers(
  listed: readonly ListedLayer[],
  by: { stored: ReadonlyMap<string, store.StoredLayer>; rules: LayerRules; order: readonly string[] },
): contract.ManagedLayer[] {
  const there = new Set(listed.map(({ name }) => name.toLowerCase()));
  const present = ordered(listed, by.order).map((layer) =>
    managedFrom(layer, by.stored.get(layer.name.toLowerCase()) ?? null, by.rules, layer.name),
  );
  const gone = [...by.stored.entries()]
    .filter(([key]) => !there.has(key))
    .map(([, stored]) => managedFrom(null, stored, by.rules, stored.name));
  return [...present, ...gone];
}

function managedFrom(
  listed: ListedLayer | null,
  stored: store.StoredLayer | null,
  rules: LayerRules,
  asked: string,
): contract.ManagedLayer {
  const name = listed?.name ?? stored?.name ?? asked;
  return {
    name,
    title: listed?.title ?? '',
    groups: listed?.groups ?? [],
    workspace: workspaceOf(name),
    listed: listed !== null,
    holds: listed?.holds ?? [],
    access: stored?.access ?? 'inherited',
    right: stored?.right ?? null,
    guardedBy: rightOfLayer(name, rules),
    onAtFirst: stored?.onAtFirst ?? false,
    titles: stored?.titles ?? noTitles,
    version: stored?.version ?? null,
  };
}

/**
 * The entry for all layers, then by name the workspaces of the map server and workspaces with decisions.
 */
function workspacesFrom(
  listed: readonly ListedLayer[],
  stored: ReadonlyMap<string, store.StoredWorkspace>,
): contract.WorkspaceAccess[] {
  const counts = new Map<string, { name: string; layers: number }>();
  const count = (name: string, layers: number): void => {
    const key = name.toLowerCase();
    counts.set(key, { name: counts.get(key)?.name ?? name, layers: (counts.get(key)?.layers ?? 0) + layers });
  };
  count('', 0);
  for (const { name, holds } of listed) {
    const counted = holds.length === 0 ? 1 : 0;
    for (const workspace of new Set(['', workspaceOf(name)])) count(workspace, counted);
  }
  for (const { name } of stored.values()) count(name, 0);
  return [...counts.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, layers }) => {
      const decided = stored.get(name.toLowerCase());
      return {
        name,
        layers,
        access: decided?.access ?? 'inherited',
        right: decided?.right ?? null,
        version: decided?.version ?? null,
      };
    });
}

export const mapFeature = feature({
  create: (core, ground) => ({
    routes: (serve) => mapRoutes(serve, core, ground),
    close: ground.map.close,
  }),
  fates: {
    map_layer: {
      'not personal': ['key', 'name', 'access', 'right_name'],
      'free text': ['title_en', 'title_de', 'title_fr'],
    },
    map_order: { 'not personal': ['names'] },
    map_workspace: { 'not personal': ['key', 'name', 'access', 'right_name'] },
  },
});
