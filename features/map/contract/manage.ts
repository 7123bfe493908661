import * as z from 'zod/mini';
import { layerTitles, mapServerState } from './map.ts';
import { rightName } from '#features/permissions/contract/administration.ts';
import { route } from '#contract/route.ts';
import { instant, line, version } from '#contract/text.ts';

/** How many layers may be described, ordered, and guarded here. */
export const most = { described: 20_000, ordered: 1_000, workspaces: 1_000 } as const;

/**
 * Who may see a layer. `inherited`: by the rule of its workspace, else by the rule for all layers. `open`: all who
 * may open the map. `right`: people who may open the map and also hold `right`.
 */
export const layerAccess = z.enum(['inherited', 'open', 'right']);
export type LayerAccess = z.infer<typeof layerAccess>;

const ofRight = ({ access, right }: { access: LayerAccess; right: string | null }): boolean =>
  (access === 'right') === (right !== null);
const rightWhereAsked = 'names a right where `access` is `right`, and nowhere else';

/** A layer's name on the map server. It has no commas, which separate names in requests. */
export const layerName = line(1, 200).check(z.regex(/^[^,]+$/, 'contains a comma'));
/** The part of a layer's name before the colon; empty for all layers. */
export const workspaceName = line(0, 100).check(z.regex(/^[^,:/]*$/, 'contains a comma, a colon or a slash'));

const right = z.nullable(rightName);
const titles = z.strictObject({ en: line(0, 200), de: line(0, 200), fr: line(0, 200) });

/** What operators decided about one layer. `version` is null where they decided nothing. */
export const managedLayer = z.object({
  name: z.string(),
  /** The map server's title for the layer; empty where it does not list the layer now. */
  title: z.string(),
  groups: z.array(z.string()),
  /** Empty for a layer of no workspace. */
  workspace: z.string(),
  /** False where the map server no longer has a layer of this name, which operators decided about. */
  listed: z.boolean(),
  /** For a group: names of the layers that are drawn with it, whose rights count too. */
  holds: z.array(z.string()),
  access: layerAccess,
  right: z.nullable(z.string()),
  /** The right that is needed now, by the rules of the layer, its workspace and all layers; null: open. */
  guardedBy: z.nullable(z.string()),
  onAtFirst: z.boolean(),
  titles: layerTitles,
  version: z.nullable(z.number()),
});
export type ManagedLayer = z.infer<typeof managedLayer>;

/** The access to the layers of a workspace; with the empty name, to all layers. */
export const workspaceAccess = z.object({
  name: z.string(),
  /** How many layers the map server lists in it. */
  layers: z.number(),
  access: layerAccess,
  right: z.nullable(z.string()),
  version: z.nullable(z.number()),
});
export type WorkspaceAccess = z.infer<typeof workspaceAccess>;

const access = { right: 'MAP_WRITE' } as const;

export const listManagedLayers = route({
  method: 'GET',
  path: '/v1/map/managed-layers',
  summary: 'Every layer of the map server with what operators decided about it, the topmost first',
  access,
  answer: z.object({
    server: mapServerState,
    readAt: z.nullable(instant),
    layers: z.array(managedLayer),
    /** The first entry has the empty name, for all layers. */
    workspaces: z.array(workspaceAccess),
    /** The version of the order of the layers. */
    orderVersion: version,
  }),
});

export const changeLayer = route({
  method: 'PUT',
  path: '/v1/map/managed-layers',
  summary: 'Decides who may see a layer, whether it is on at first, and what it is called',
  access,
  body: z
    .strictObject({
      name: layerName,
      access: layerAccess,
      right,
      onAtFirst: z.boolean(),
      titles,
      /** Null where nothing was decided before. */
      version: z.nullable(version),
    })
    .check(z.refine(ofRight, rightWhereAsked)),
  answer: managedLayer,
});

export const forgetLayer = route({
  method: 'POST',
  path: '/v1/map/managed-layers/forget',
  summary: 'Removes what was decided about a layer; its workspace decides again',
  access,
  body: z.strictObject({ name: layerName, version }),
  answer: 'nothing',
});

export const changeWorkspace = route({
  method: 'PUT',
  path: '/v1/map/workspaces',
  summary: 'Decides who may see the layers of a workspace, or with the empty name all layers',
  access,
  body: z
    .strictObject({
      name: workspaceName,
      access: layerAccess,
      right,
      version: z.nullable(version),
    })
    .check(z.refine(ofRight, rightWhereAsked)),
  answer: workspaceAccess,
});

export const orderLayers = route({
  method: 'PUT',
  path: '/v1/map/order',
  summary: 'Orders the layers, the topmost first; those that are not named follow as the map server has them',
  access,
  body: z.strictObject({ names: z.array(layerName).check(z.maxLength(most.ordered)), version }),
  answer: z.object({ orderVersion: version }),
});

/**
 * What the map server says to one caller. `ok`: capabilities. `down`: no answer; `slow`: none in time.
 * `refused`: 401 or 403; `error`: another status; `exception`: an OGC exception; `unreadable`: something
 * else, such as a page.
 */
export const mapServerOutcome = z.object({
  outcome: z.enum(['ok', 'down', 'slow', 'refused', 'error', 'exception', 'unreadable']),
  status: z.nullable(z.number()),
  /** Milliseconds. */
  took: z.number(),
  /** The server's own words: its title, or why it refuses; empty where it has none. */
  message: z.string(),
  /** Layers or feature types in its capabilities, and how many of them the guard lets through. */
  listed: z.number(),
  visible: z.number(),
});
export type MapServerOutcome = z.infer<typeof mapServerOutcome>;

export const checkMapServer = route({
  method: 'POST',
  path: '/v1/map/check',
  summary: 'Asks the map server for its capabilities, as the caller and as a member without other rights',
  access,
  answer: z.object({
    /** The address where Portico reaches the map server, without secrets; null where there is no map server. */
    address: z.nullable(z.string()),
    services: z.array(
      z.object({
        service: z.enum(['wms', 'wfs', 'wmts']),
        you: mapServerOutcome,
        member: mapServerOutcome,
      }),
    ),
  }),
});
