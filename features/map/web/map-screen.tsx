import type { MapLayer } from '#features/map/contract/map.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCanStore } from '#web/platform/contexts.tsx';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { Notice } from '#web/ui/notice.tsx';
import type { Place } from './coordinates/place.ts';
import { useCoordinateFormat } from './coordinates/use-coordinate-format.ts';
import { FoundPanel } from './identify/found-panel.tsx';
import { useIdentify } from './identify/use-identify.ts';
import { type ShownLayer, firstShown } from './layers/shown-layers.ts';
import { mapLayersKey, mapLayersQuery } from './map-queries.ts';
import { MeasureBar } from './measure/measure-bar.tsx';
import { useMeasure } from './measure/use-measure.ts';
import { LayerPanel } from './panel/layer-panel.tsx';
import { CoordinatesBar } from './tools/coordinates-bar.tsx';
import { MapTools } from './tools/map-tools.tsx';
import { MapCanvas } from './view/map-canvas.tsx';
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
import './map.css';

/** The map: the world, and above it the layers of the map server that the person may see (MAP-1). */
export function MapScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const layers = useQuery(mapLayersQuery(api));
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
    <div className="map-screen">
      <LayerPanel
        query={layers}
        known={known}
        shown={visible}
        onShown={setChosen}
        map={map}
        missing={layers.data === undefined ? 0 : missing}
      />
      <div className="map-stage">
        <MapCanvas map={map} shown={visible} known={known} format={format} />
        <MapTools
          map={map}
          shown={visible}
          known={known}
          format={format}
          measure={measure}
          onBegin={identify.close}
        />
        <div className="map-messages">
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

/** Dragging the map changes the address when it has come to rest. */
const rest = 300;

type Linked = {
  /** What the address held when the screen was opened, or was changed to by hand. */
  view: LinkedView | null;
  layers: LinkedLayer[] | null;
  /** Counts the changes from outside. */
  opened: number;
};

/** The view of the address, which follows the map: it can be copied, and goes along with a bug report. */
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
