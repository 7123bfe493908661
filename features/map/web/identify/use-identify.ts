import type { MapLayer } from '#features/map/contract/map.ts';
import { useEffect, useRef, useState } from 'react';
import type { Place } from '../coordinates/place.ts';
import { MapProblem } from '../layers/map-fetch.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import type { MapHandle } from '../view/use-map.ts';
import { bestInfoFormat, type FoundFeature, readFeatures } from './read-features.ts';

/** What one layer has at a point. */
export type LayerAnswer = {
  layer: MapLayer;
  state: 'asking' | 'answered' | 'failed';
  features: readonly FoundFeature[];
  /** The server's own text, where the server has no better format. */
  text: string;
};

export type Identify = {
  place: Place | null;
  answers: readonly LayerAnswer[];
  /** Asks all layers that can answer, the topmost first. */
  at: (place: Place) => void;
  highlight: (feature: FoundFeature | null) => void;
  close: () => void;
  /** Closes the panel, and moves the focus to the map. */
  leave: () => void;
};

type Options = {
  map: MapHandle;
  shown: readonly ShownLayer[];
  known: ReadonlyMap<string, MapLayer>;
  formats: readonly string[];
};

const longestText = 20_000;
/** What MapServer and GeoServer write where they find nothing. */
const nothing = /search returned no results|no features were found/i;

export function useIdentify({ map, shown, known, formats }: Options): Identify {
  const [place, setPlace] = useState<Place | null>(null);
  const [answers, setAnswers] = useState<readonly LayerAnswer[]>([]);
  const asking = useRef(new AbortController());
  const { engine, mapFetch } = map;
  useEffect(() => () => asking.current.abort(), []);

  async function ask(layer: MapLayer, url: string, signal: AbortSignal): Promise<void> {
    let answer: Omit<LayerAnswer, 'layer'>;
    try {
      const response = await mapFetch.get(url, signal);
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      const features = isJson ? readFeatures(await response.json()) : [];
      const text = isJson ? '' : readText(await response.text());
      answer = { state: 'answered', features, text };
    } catch (error) {
      if (signal.aborted) return;
      const text = error instanceof MapProblem ? error.detail : '';
      answer = { state: 'failed', features: [], text };
    }
    if (signal.aborted) return;
    setAnswers((now) => now.map((one) => (one.layer.name === layer.name ? { layer, ...answer } : one)));
  }

  function close(): void {
    asking.current.abort();
    setPlace(null);
    setAnswers([]);
    engine?.highlight(null, null);
  }

  return {
    place,
    answers,
    at(next) {
      asking.current.abort();
      asking.current = new AbortController();
      const { signal } = asking.current;
      const format = bestInfoFormat(formats);
      const asked = shown.flatMap(({ name }) => {
        const layer = known.get(name);
        const url =
          layer?.queryable === true && format !== null ? (engine?.infoUrl(name, next, format) ?? null) : null;
        return layer === undefined || url === null ? [] : [{ layer, url }];
      });
      setPlace(next);
      setAnswers(asked.map(({ layer }) => ({ layer, state: 'asking', features: [], text: '' })));
      engine?.highlight(next, null);
      for (const { layer, url } of asked) void ask(layer, url, signal);
    },
    highlight: (feature) => engine?.highlight(place, feature?.geometry ?? null),
    close,
    leave() {
      close();
      engine?.focus();
    },
  };
}

const readText = (text: string) => (nothing.test(text) ? '' : text.trim().slice(0, longestText));
