import { mapPicturesPath, type MapLayer } from '#features/map/contract/map.ts';
import { setMapCookie } from '#features/session/contract/session.ts';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { base } from '#web/platform/base.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { createStore, type Readable } from '#web/platform/state/store.ts';
import { browserClock } from '#web/platform/time/clock.ts';
import type { Place } from '../coordinates/place.ts';
import { createMapFetch, type MapFetch } from '../layers/map-fetch.ts';
import type { LayerState } from '../layers/server-layer.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import { createMapEngine, type MapEngine, type MapPosition } from './map-engine.ts';
import type { LinkedView } from './view-link.ts';

export const picturesUrl = `${base}${mapPicturesPath}`;

type MapOptions = {
  /** The view that the map starts with; null: the whole world. */
  first: LinkedView | null;
  shown: readonly ShownLayer[];
  known: ReadonlyMap<string, MapLayer>;
  onPressed: (place: Place) => void;
  /** Called when the server refuses pictures of a layer: the person may have lost the right to it. */
  onRefused: () => void;
};

export type MapHandle = {
  /** Takes the element that holds the map. */
  onTarget: (element: HTMLDivElement | null) => void;
  engine: MapEngine | null;
  mapFetch: MapFetch;
  position: MapPosition | null;
  /** Where the pointer is: it changes too often for the whole screen to follow. */
  pointer: Readable<Place | null>;
  states: ReadonlyMap<string, LayerState>;
  baseMapFailed: boolean;
  scheme: 'light' | 'dark';
};

/** The map on the screen, and what it reports. */
export function useMap(options: MapOptions): MapHandle {
  const api = useApi();
  const scheme = useScheme();
  const { language } = useTranslation().i18n;
  const [target, setTarget] = useState<HTMLDivElement | null>(null);
  const latest = useRef(options);
  const [engine, setEngine] = useState<MapEngine | null>(null);
  const [position, setPosition] = useState<MapPosition | null>(null);
  const [pointer] = useState(() => createStore<Place | null>(null));
  const [states, setStates] = useState<ReadonlyMap<string, LayerState>>(new Map());
  const [baseMapFailed, setBaseMapFailed] = useState(false);
  const mapFetch = useMemo(
    () =>
      createMapFetch({
        fetch: (...request) => fetch(...request),
        clock: browserClock,
        renewCookie: () => api.call(setMapCookie, {}),
      }),
    [api],
  );
  const look = useRef({ scheme, language });

  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    if (target === null) return undefined;
    const made = createMapEngine(target, {
      url: picturesUrl,
      mapFetch,
      view: latest.current.first,
      look: look.current,
      onMoved: setPosition,
      onPointer: pointer.set,
      onPressed: (place) => latest.current.onPressed(place),
      onLayerState(name, state) {
        setStates((now) => new Map(now).set(name, state));
        if (state.problem?.kind === 'refused') latest.current.onRefused();
      },
      onBaseMapFailed: () => setBaseMapFailed(true),
    });
    setEngine(made);
    return () => {
      made.end();
      setEngine(null);
    };
  }, [target, mapFetch, pointer]);

  useEffect(() => {
    look.current = { scheme, language };
    engine?.setLook(look.current);
  }, [engine, scheme, language]);

  const { shown, known } = options;
  useEffect(() => {
    engine?.setLayers(shown, known);
  }, [engine, shown, known]);

  return { onTarget: setTarget, engine, mapFetch, position, pointer, states, baseMapFailed, scheme };
}

const query = '(prefers-color-scheme: dark)';

function subscribe(changed: () => void): () => void {
  const device = matchMedia(query);
  const chosen = new MutationObserver(changed);
  device.addEventListener('change', changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    device.removeEventListener('change', changed);
    chosen.disconnect();
  };
}

function present(): 'light' | 'dark' {
  const theme = document.documentElement.dataset['theme'];
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia(query).matches ? 'dark' : 'light';
}

/** The colour scheme of the page, for parts that style sheets cannot reach. */
function useScheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, present);
}
