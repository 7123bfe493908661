import type { MapLayer } from '#features/map/contract/map.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCanStore, useFormats } from '#web/platform/contexts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Place } from './coordinates/place.ts';
import { FoundPanel } from './identify/found-panel.tsx';
import { useIdentify } from './identify/use-identify.ts';
import { firstShown, type ShownLayer, sourcesOf } from './layers/shown-layers.ts';
import { mapLayersKey, mapLayersQuery } from './layers/layer-tree.ts';
import { type Measure, useMeasure } from './measure/use-measure.ts';
import { createMeasures } from './measure/lengths.ts';
import { LayerPanel } from './panel/layer-panel.tsx';
import { MapTools } from './tools/map-tools.tsx';
import { MapCanvas, scaleBar, scaleDenominator } from './view/map-canvas.tsx';
import type { MapPosition } from './view/map-engine.ts';
import { type MapHandle, useMap } from './view/use-map.ts';
import {
  type LinkedLayer,
  type LinkedView,
  readLayers,
  readView,
  writeLayers,
  writeView,
} from './view/view-link.ts';
import '#web/ui/screen.css';
import './map.css';
import { Button, IconButton } from '#web/ui/button.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { Select } from '#web/ui/text-input.tsx';
import {
  coordinateFormats,
  useCoordinateFormat,
  type ChosenFormat,
} from './coordinates/coordinate-format.ts';
import { useAddressFilter } from '#web/platform/lists/list-state.ts';

/** The map: the world, and above it the layers of the map server that the person may see (MAP-1). */
export function MapScreen() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const layers = useQuery(mapLayersQuery);
  const known = useKnownLayers(layers.data?.layers);
  const reload = useReloadOnRights(() => void queries.invalidateQueries({ queryKey: mapLayersKey }));
  const [chosen, setChosen] = useState<readonly ShownLayer[] | null>(firstOfAddress);
  const shown = useMemo(
    () => chosen ?? (layers.data === undefined ? null : firstShown(layers.data.layers, null)),
    [chosen, layers.data],
  );
  const visible = useMemo(() => (shown ?? []).filter(({ name }) => known.has(name)), [shown, known]);
  const press = useRef<(place: Place) => void>(() => {});
  const [first] = useState(() => readView(new URLSearchParams(location.search).get('at') ?? ''));
  const map = useMap({
    first,
    shown: visible,
    known,
    onPressed: (place) => press.current(place),
    onRefused: reload,
  });
  const linked = useLinkedView(map.position, shown);
  useOpenedLink(linked, map, setChosen);

  const format = useCoordinateFormat();
  const measure = useMeasure(map.engine);
  const identify = useIdentify({ map, shown: visible, known, formats: layers.data?.infoFormats ?? [] });
  useEffect(() => {
    press.current = measure.kind === null ? identify.at : measure.add;
  });

  const missing = (shown ?? []).length - visible.length;
  return (
    <div className="map-screen flex">
      <LayerPanel
        query={layers}
        known={known}
        shown={visible}
        onShown={setChosen}
        map={map}
        missing={layers.data === undefined ? 0 : missing}
      />
      <div className="map-stage relative grow">
        <MapCanvas map={map} shown={visible} known={known} format={format} />
        <MapTools
          map={map}
          shown={visible}
          known={known}
          format={format}
          measure={measure}
          onBegin={identify.close}
        />
        <div className="map-messages flex top gap-2">
          {map.baseMapFailed ? (
            <Notice severity="medium" role="status">
              {t('MAP.BASE_FAILED')}
            </Notice>
          ) : null}
          {measure.kind === null ? null : <MeasureBar measure={measure} />}
          <FoundPanel identify={identify} format={format} />
        </div>
        <CoordinatesBar map={map} shown={visible} known={known} format={format} />
      </div>
    </div>
  );
}

const none: readonly MapLayer[] = [];

function useKnownLayers(layers: readonly MapLayer[] = none): ReadonlyMap<string, MapLayer> {
  return useMemo(() => new Map(layers.map((layer) => [layer.name, layer])), [layers]);
}

function firstOfAddress(): readonly ShownLayer[] | null {
  return readLayers(new URLSearchParams(location.search).get('layers') ?? '');
}

/** The layers are loaded again when the person's rights change: some may be gone, others new. */
function useReloadOnRights(reload: () => void): () => void {
  const rights = useCanStore();
  const latest = useRef(reload);
  useEffect(() => {
    latest.current = reload;
  });
  useEffect(() => rights.subscribe(() => latest.current()), [rights]);
  return useCallback(() => latest.current(), []);
}

/** Follows a link that was opened in this tab while the map was there. */
function useOpenedLink(
  { view, layers, opened }: ReturnType<typeof useLinkedView>,
  { engine }: MapHandle,
  onLayers: (layers: readonly ShownLayer[]) => void,
): void {
  const followed = useRef(0);
  useEffect(() => {
    if (followed.current === opened || engine === null) return;
    followed.current = opened;
    if (view !== null) engine.goTo(view);
    if (layers !== null) onLayers(layers);
  }, [opened, view, layers, engine, onLayers]);
}

/** Once the map has been at rest for this time, milliseconds, the address changes. */
const rest = 300;

type Linked = {
  /** The view of the address when the screen was opened, or when the address was changed by hand. */
  view: LinkedView | null;
  layers: LinkedLayer[] | null;
  /** Counts the changes of the address from outside. */
  opened: number;
};

/** Keeps the view in the address, so that a copied address and a bug report include it. */
function useLinkedView(position: MapPosition | null, shown: readonly ShownLayer[] | null): Linked {
  const [address, changeAddress] = useAddressFilter(['at', 'layers']);
  const [linked, setLinked] = useState<Linked>(() => read(address, 0));
  const written = useRef(`${address.at} ${address.layers}`);

  const present = `${address.at} ${address.layers}`;
  useEffect(() => {
    if (present === written.current) return;
    written.current = present;
    const [at = '', layers = ''] = present.split(/ (.*)/s);
    setLinked(({ opened }) => read({ at, layers }, opened + 1));
  }, [present]);

  const at = position === null ? null : writeView(position);
  const layers = shown === null ? null : writeLayers(shown);
  const change = useRef(changeAddress);
  useEffect(() => {
    change.current = changeAddress;
  });
  useEffect(() => {
    if (at === null || layers === null || written.current === `${at} ${layers}`) return undefined;
    const timer = setTimeout(() => {
      written.current = `${at} ${layers}`;
      change.current({ at, layers });
    }, rest);
    return () => clearTimeout(timer);
  }, [at, layers]);

  return linked;
}

function read(address: { at: string; layers: string }, opened: number): Linked {
  return { view: readView(address.at), layers: readLayers(address.layers), opened };
}

/** The result of the measurement so far, which screen readers speak when it changes. */
function MeasureBar({ measure }: { measure: Measure }) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const { measured } = measure;
  if (measured === null) return null;
  const measures = createMeasures(locale);
  const enough = measured.points > (measured.kind === 'area' ? 2 : 1);
  return (
    <div className="map-card rounded surface pad-3 row gap-3 wrap">
      <span role="status">
        {enough ? (
          <>
            {t(`MAP.MEASURE.${measured.kind.toUpperCase()}_IS`)}{' '}
            <strong>
              {measured.kind === 'area' ? measures.area(measured.value) : measures.length(measured.value)}
            </strong>
          </>
        ) : (
          t(`MAP.MEASURE.HOW_${measured.kind.toUpperCase()}`)
        )}
      </span>
      <Button small onClick={measure.undo} disabled={measured.points === 0}>
        {t('MAP.MEASURE.UNDO')}
      </Button>
      <IconButton icon="close" small label={t('MAP.MEASURE.END')} onClick={measure.end} />
    </div>
  );
}

const barRoom = 90;

type CoordinatesBarProps = {
  map: MapHandle;
  shown: readonly ShownLayer[];
  known: ReadonlyMap<string, MapLayer>;
  format: ChosenFormat;
};

/**
 * Scale, coordinates and sources, at the lower edge. The coordinates are the pointer's, or else the middle's.
 * On phones their format and the sources unfold.
 */
function CoordinatesBar({ map: { position, pointer }, shown, known, format }: CoordinatesBarProps) {
  const { t } = useTranslation();
  const { locale, number } = useFormats();
  const under = useStore(pointer);
  const [open, setOpen] = useState(false);
  if (position === null) return null;
  const bar = scaleBar(position.ground, barRoom);
  const sources = t('MAP.LAYER.SOURCE', { source: sourcesOf(shown, known).join(' · ') });
  const metres = createMeasures(locale).length(bar.metres);
  return (
    <div className="map-card rounded surface map-coordinates row wrap gap-1-4 small" data-open={open}>
      <span className="row" title={t('MAP.SCALE_HINT')}>
        <span className="map-scale-bar" style={{ width: bar.pixels }} aria-hidden="true" />
        <span>{metres}</span>
        <span className="muted map-wide-only">{`1 : ${number(scaleDenominator(position.ground))}`}</span>
      </span>
      <span className="map-place">{format.write(under ?? position.center, position.ground)}</span>
      <IconButton
        small
        className="map-panel-toggle"
        icon={open ? 'chevron-down' : 'info'}
        label={t('MAP.COORDINATES.MORE')}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Select
        aria-label={t('MAP.COORDINATES.FORMAT')}
        value={format.format}
        onValue={format.choose}
        options={coordinateFormats.map((value) => ({
          value,
          label: t(`MAP.COORDINATES.${value.toUpperCase()}`),
        }))}
      />
      <span className="map-sources cut muted" title={sources} dir="auto">
        {sources}
      </span>
    </div>
  );
}
