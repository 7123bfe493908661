import * as z from 'zod/mini';
import { liveList } from '#contract/live-list.ts';
import { route } from '#contract/route.ts';
import { instant } from '#contract/text.ts';

/** Below the address of the installation (`geoserverBase` of the boot data): everything of the map server. */
export const mapServerPath = '/geoserver';
/** Where the map asks for pictures, legends and what is at a point (WMS 1.3.0). */
export const mapPicturesPath = '/geoserver/wms';

/** What operators change about the layers reaches everyone who may open the map. */
export const mapLayerList = liveList({ list: 'map-layers', receivers: { right: 'MAP_VIEW' } });

/** How many layers, and characters of what the map server says of one, are taken over. */
export const most = {
  layers: 20_000,
  groups: 8,
  styles: 50,
  abstract: 2_000,
  timeText: 20_000,
  projections: 200,
} as const;

/** Where the two languages are missing, what the map server calls a layer stands there. */
export const layerTitles = z.object({
  en: z.string(),
  de: z.string(),
  fr: z.string(),
});
export type LayerTitles = z.infer<typeof layerTitles>;

/**
 * `TIME` of WMS: as the map server writes it, instants and `start/end/period` separated by commas (ISO 8601).
 */
export const layerTime = z.object({ values: z.string(), default: z.nullable(z.string()) });

export const layerStyle = z.object({
  name: z.string(),
  title: z.string(),
  /** Whether the map server draws a legend for it (`GetLegendGraphic`). */
  hasLegend: z.boolean(),
});

/** A layer as the person may see it. */
export const mapLayer = z.object({
  /** What it is asked for by, in `LAYERS`. */
  name: z.string(),
  /** As the map server calls it. */
  title: z.string(),
  /** As operators call it; empty where they do not. */
  titles: layerTitles,
  abstract: z.string(),
  /** Titles of the groups that hold it, the outermost first. */
  groups: z.array(z.string()),
  /** Whether the map server supports `GetFeatureInfo`. */
  queryable: z.boolean(),
  onAtFirst: z.boolean(),
  /** West, south, east, north in degrees; null if unknown. */
  bounds: z.nullable(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  time: z.nullable(layerTime),
  /** Scale denominators between which it is drawn (of 0.28 mm pixels). */
  scale: z.object({ least: z.nullable(z.number()), most: z.nullable(z.number()) }),
  /** The first is the one that is drawn where none is named. */
  styles: z.array(layerStyle),
  attribution: z.string(),
});
export type MapLayer = z.infer<typeof mapLayer>;

/**
 * `none`: there is no map server (`GEOSERVER_URL`). `unavailable`: it does not answer, or with what is no
 * capabilities document; the layers are the last that it listed, if it did.
 */
export const mapServerState = z.enum(['none', 'ready', 'unavailable']);

export const listMapLayers = route({
  method: 'GET',
  path: '/v1/map/layers',
  summary: 'The layers that the caller may see, the topmost first, as the map server describes them (MAP-1)',
  access: { right: 'MAP_VIEW' },
  answer: z.object({
    server: mapServerState,
    /** When the map server was asked for them; null before its first answer. */
    readAt: z.nullable(instant),
    layers: z.array(mapLayer),
    /** Projections that all layers have, such as `EPSG:3857`. */
    projections: z.array(z.string()),
    /** Formats of pictures, such as `image/png`. */
    formats: z.array(z.string()),
    /** Formats of `GetFeatureInfo`, such as `application/json`. */
    infoFormats: z.array(z.string()),
  }),
});
