import { most } from '#features/map/contract/map.ts';
import { createXmlReader, UnreadableDocument, type Element, type XmlReader } from './xml-reader.ts';

export type OgcService = 'wms' | 'wfs' | 'wmts';

/** A layer, a feature type or a group of layers, as the map server describes it. */
export type ListedLayer = {
  name: string;
  title: string;
  abstract: string;
  groups: string[];
  /** Names of the layers that are drawn with it. */
  holds: string[];
  /** Whether it holds other layers, named or not. */
  isGroup: boolean;
  /** Whether WMS draws it. */
  isDrawn: boolean;
  queryable: boolean;
  bounds: [number, number, number, number] | null;
  time: { values: string; default: string | null } | null;
  /** Names of its dimensions (OGC 06-042, annex C; 07-057r7, 7.1.1.2), as the map server declares them. */
  dimensions: string[];
  scale: { least: number | null; most: number | null };
  styles: { name: string; title: string; hasLegend: boolean }[];
  attribution: string;
};

export type Capabilities = {
  title: string;
  layers: ListedLayer[];
  projections: string[];
  formats: string[];
  infoFormats: string[];
};

/** The map server's reason for giving no other answer (OGC 01-068r3, 06-042, 06-121r9). */
export class OgcException extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(text);
    this.name = 'OgcException';
    this.code = code;
  }
}

/** Bytes; twenty thousand layers of GeoServer are some sixty million. */
export const largestCapabilities = 192_000_000;
const longestTitle = 500;
const mostDimensions = 50;

const roots: Record<string, OgcService> = {
  WMS_Capabilities: 'wms',
  WMT_MS_Capabilities: 'wms',
  WFS_Capabilities: 'wfs',
  Capabilities: 'wmts',
};
export const exceptionRoots: ReadonlySet<string> = new Set(['ServiceExceptionReport', 'ExceptionReport']);
/** The element that describes a layer in the capabilities of each service, and the element with its name. */
const entries = {
  wms: { layer: 'Layer', name: 'Name' },
  wfs: { layer: 'FeatureType', name: 'Name' },
  wmts: { layer: 'Layer', name: 'Identifier' },
} as const;

/**
 * Reads the capabilities of a service. `result` throws what `push` would: OgcException, UnreadableDocument.
 */
export function createCapabilitiesReader(
  service: OgcService,
  contentType: string,
): XmlReader & { result(): Capabilities; isException(): boolean } {
  const read = readInto(service);
  const reader = createXmlReader(read, contentType, largestCapabilities);
  return { ...reader, result: read.result, isException: read.isException };
}

type Open = { name: string; text: string; attributes: Record<string, string> };
type Draft = ListedLayer & {
  isRoot: boolean;
  styleOpen: { name: string; title: string; hasLegend: boolean } | null;
};

function readInto(service: OgcService) {
  const { layer: layerElement, name: nameElement } = entries[service];
  const path: Open[] = [];
  const drafts: Draft[] = [];
  const found: Capabilities = { title: '', layers: [], projections: [], formats: [], infoFormats: [] };
  const projections = new Set<string>();
  let exception = null as OgcException | null;
  let rootSeen = false;
  let isReport = false;

  function begin(name: string): void {
    if (rootSeen) return;
    rootSeen = true;
    isReport = exceptionRoots.has(name);
    if (isReport) return;
    if (!Object.hasOwn(roots, name) || roots[name] !== service)
      throw new UnreadableDocument('The answer is no capabilities document of this service.');
  }

  function openLayer({ attributes }: Element): void {
    const parent = drafts.at(-1);
    if (parent !== undefined) parent.isGroup = true;
    if (drafts.length >= 30) throw new UnreadableDocument('Groups of layers are nested too deeply.');
    drafts.push(
      draftBelow(
        parent,
        service === 'wms',
        attributes['queryable'] === '1' || attributes['queryable'] === 'true',
      ),
    );
  }

  function closeLayer(): void {
    const { styleOpen: _style, isRoot: _root, ...draft } = drafts.pop() as Draft;
    const parent = drafts.at(-1);
    if (draft.name !== '') {
      found.layers.push(draft);
      if (found.layers.length > most.layers) throw new UnreadableDocument('There are too many layers.');
      for (const each of drafts) if (each.name !== '') each.holds.push(draft.name);
    }
    if (parent === undefined && found.title === '') found.title = draft.title;
  }

  function ofLayer(draft: Draft, open: Open, parents: string): void {
    const text = open.text.trim();
    if (parents === '') describe(draft, open, text);
    else if (parents === 'Style') {
      const style = draft.styleOpen;
      if (style === null) return;
      if (open.name === 'Name') style.name = text;
      else if (open.name === 'Title') style.title = text.slice(0, longestTitle);
      else if (open.name === 'LegendURL') style.hasLegend = true;
    } else if (parents === 'EX_GeographicBoundingBox') placeBound(draft, open.name, Number(text));
    else if (parents === 'Dimension' && open.name === nameElement) addDimension(draft, text);
    else if (parents === 'Attribution' && open.name === 'Title')
      draft.attribution = text.slice(0, longestTitle);
  }

  function describe(draft: Draft, { name, attributes }: Open, text: string): void {
    if (name === nameElement) draft.name = text;
    else if (name === 'Title') draft.title = text.slice(0, longestTitle);
    else if (name === 'Abstract') draft.abstract = text.slice(0, most.abstract);
    else if (name === 'CRS' || name === 'SRS') addProjections(text);
    else if (name === 'MinScaleDenominator') draft.scale = { ...draft.scale, least: numberOrNull(text) };
    else if (name === 'MaxScaleDenominator') draft.scale = { ...draft.scale, most: numberOrNull(text) };
    else if (name === 'LatLonBoundingBox')
      draft.bounds = boundsOf(['minx', 'miny', 'maxx', 'maxy'].map((side) => Number(attributes[side])));
    else if (name === 'EX_GeographicBoundingBox') draft.bounds = boundsOf(draft.bounds ?? []);
    else if (name === 'Dimension' || name === 'Extent') {
      addDimension(draft, attributes['name'] ?? '');
      if (attributes['name']?.toLowerCase() === 'time')
        draft.time = timeOf(text, attributes['default'], draft.time);
    } else if (name === 'Style' && draft.styleOpen !== null) {
      const { styleOpen: own } = draft;
      // MapServer describes a style of a group in each of its layers again.
      const others = draft.styles.filter((style) => style.name !== own.name);
      if (others.length < most.styles) draft.styles = [...others, own];
      draft.styleOpen = null;
    }
  }

  function addDimension(draft: Draft, name: string): void {
    if (name !== '' && !draft.dimensions.includes(name) && draft.dimensions.length < mostDimensions)
      draft.dimensions = [...draft.dimensions, name];
  }

  function addProjections(text: string): void {
    for (const name of text.split(/\s+/))
      if (name !== '' && projections.size < most.projections) projections.add(name);
  }

  /** Reads the service's title, formats and exceptions. Formats are in `Request/GetMap/Format`. */
  function ofService(open: Open, parents: string): void {
    const text = open.text.trim();
    if (parents === 'Service' && open.name === 'Title') found.title = text.slice(0, longestTitle);
    else if (parents.endsWith('/ServiceIdentification') && open.name === 'Title')
      found.title = text.slice(0, longestTitle);
    else if (open.name === 'Format' && parents.endsWith('/GetMap') && found.formats.length < 100)
      found.formats.push(text);
    else if (open.name === 'Format' && parents.endsWith('/GetFeatureInfo') && found.infoFormats.length < 100)
      found.infoFormats.push(text);
    else if (!isReport) return;
    else if (/^(?:ServiceException|ExceptionText)$/.test(open.name)) raise(open.attributes['code'], text);
    else if (open.name === 'Exception') raise(open.attributes['exceptionCode'], '');
  }

  function raise(code: string | undefined, text: string): void {
    exception = new OgcException(code ?? exception?.code ?? '', exception?.message || text.slice(0, 1_000));
  }

  return {
    open(element: Element): void {
      begin(element.name);
      if (element.name === layerElement && path.length > 0) openLayer(element);
      else if (element.name === 'Style' && path.at(-1)?.name === layerElement && drafts.length > 0)
        (drafts.at(-1) as Draft).styleOpen = { name: '', title: '', hasLegend: false };
      path.push({ name: element.name, text: '', attributes: element.attributes });
    },
    text(text: string): void {
      const open = path.at(-1);
      if (open !== undefined && open.text.length < most.timeText) open.text += text;
    },
    close(): void {
      const open = path.pop() as Open;
      if (open.name === layerElement && drafts.length > 0) {
        closeLayer();
        return;
      }
      const draft = drafts.at(-1);
      const names = path.map(({ name }) => name);
      const from = draft === undefined ? 1 : names.lastIndexOf(layerElement) + 1;
      const parents = names.slice(from).join('/');
      if (draft === undefined)
        ofService(open, names.length === 0 ? '' : `/${parents}`.replace(/^\/Service$/, 'Service'));
      else ofLayer(draft, open, parents);
    },
    isException: (): boolean => isReport,
    result(): Capabilities {
      if (isReport) throw exception ?? new OgcException('', '');
      if (!rootSeen) throw new UnreadableDocument('The answer is empty.');
      return { ...found, projections: [...projections] };
    },
  };
}

/** A new layer, with what it inherits from the layer that holds it (OGC 06-042, 7.2.4.8). */
function draftBelow(parent: Draft | undefined, isDrawn: boolean, queryable: boolean): Draft {
  // The outermost layer is the map itself, so its title is not a group.
  const groups =
    parent === undefined || parent.isRoot ? [] : [...parent.groups, parent.title].slice(0, most.groups);
  return {
    name: '',
    title: '',
    abstract: '',
    groups,
    holds: [],
    isGroup: false,
    isDrawn,
    queryable,
    bounds: parent?.bounds ?? null,
    time: parent?.time ?? null,
    dimensions: parent?.dimensions ?? [],
    scale: parent?.scale ?? { least: null, most: null },
    styles: parent?.styles ?? [],
    attribution: parent?.attribution ?? '',
    isRoot: parent === undefined,
    styleOpen: null,
  };
}

const sides = ['westBoundLongitude', 'southBoundLatitude', 'eastBoundLongitude', 'northBoundLatitude'];

/** Sets one side of the bounds, since sides arrive one by one. Inherited bounds are copied, not changed. */
function placeBound(draft: Draft, name: string, value: number): void {
  const at = sides.indexOf(name);
  if (at < 0) return;
  const bounds = [...(draft.bounds ?? [NaN, NaN, NaN, NaN])] as [number, number, number, number];
  bounds[at] = value;
  draft.bounds = bounds;
}

function boundsOf(numbers: readonly number[]): [number, number, number, number] | null {
  return numbers.length === 4 && numbers.every(Number.isFinite)
    ? (numbers as [number, number, number, number])
    : null;
}

function numberOrNull(text: string): number | null {
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? null : number;
}

/** In WMS 1.1.1, `Dimension` declares a dimension and `Extent` has its values. */
function timeOf(text: string, first: string | undefined, before: ListedLayer['time']): ListedLayer['time'] {
  const values = text.replaceAll(/\s+/g, '').slice(0, most.timeText);
  return values === '' ? before : { values, default: first === undefined || first === '' ? null : first };
}
