import * as z from 'zod/mini';
import { liveList } from '#contract/live-list.ts';
import { route } from '#contract/route.ts';
import { instant } from '#contract/text.ts';

/** The path of the map server, below the address of the installation (`geoserverBase` of the boot data). */
export const mapServerPath = '/geoserver';
/** Where the map asks for pictures, legends and what is at a point (WMS 1.3.0). */
export const mapPicturesPath = '/geoserver/wms';

/** Changes that operators make to layers are published to everyone who may open the map. */
export const mapLayerList = liveList({ list: 'map-layers', receivers: { right: 'MAP_VIEW' } });

/** Limits of what is read from the map server: numbers of entries, and characters of `abstract` and `timeText`. */
export const most = {
  layers: 20_000,
  groups: 8,
  styles: 50,
  abstract: 2_000,
  timeText: 20_000,
  projections: 200,
} as const;

/** Titles by language. Where a language is missing, the map server's title is used. */
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
  /** The layer's name in the parameter `LAYERS`. */
  name: z.string(),
  /** The map server's title. */
  title: z.string(),
  /** The titles that operators set; empty where they set none. */
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
  /** The first style is drawn where a request names none. */
  styles: z.array(layerStyle),
  attribution: z.string(),
});
export type MapLayer = z.infer<typeof mapLayer>;

/**
 * `none`: there is no map server (`GEOSERVER_URL`). `unavailable`: it does not answer, or not with a capabilities
 * document; the layers are then those that it listed last, if any.
 */
export const mapServerState = z.enum(['none', 'ready', 'unavailable']);

export const listMapLayers = route({
  method: 'GET',
  path: '/v1/map/layers',
  summary: 'The layers that the caller may see, the topmost first, as the map server describes them (MAP-1)',
  access: { right: 'MAP_VIEW' },
  answer: z.object({
    server: mapServerState,
    /** When the layers were read from the map server; null before its first answer. */
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
