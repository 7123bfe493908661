import { useEffect, useMemo, useState } from 'react';
import type { Place } from '../coordinates/place.ts';
import type { MapEngine } from '../view/map-engine.ts';
import { measure, type Measured, type MeasureKind } from './lengths.ts';

export type Measure = {
  kind: MeasureKind | null;
  measured: Measured | null;
  begin: (kind: MeasureKind) => void;
  add: (place: Place) => void;
  undo: () => void;
  end: () => void;
};

const mostPoints = 500;

/** Measures along points that are pressed on the map, by mouse, touch or keyboard alike. */
export function useMeasure(engine: MapEngine | null): Measure {
  const [kind, setKind] = useState<MeasureKind | null>(null);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const measured = useMemo(() => (kind === null ? null : measure(kind, places)), [kind, places]);

  useEffect(() => {
    engine?.showMeasured(kind ?? 'distance', places);
  }, [engine, kind, places]);

  useEffect(() => {
    engine?.takeEachPress(kind !== null);
  }, [engine, kind]);

  return {
    kind,
    measured,
    begin(next) {
      setKind(next);
      setPlaces([]);
    },
    // A double press sets one point.
    add: (place) =>
      setPlaces((now) => (now.length < mostPoints && !isSame(now.at(-1), place) ? [...now, place] : now)),
    undo: () => setPlaces((now) => now.slice(0, -1)),
    end() {
      setKind(null);
      setPlaces([]);
    },
  };
}

const isSame = (one: Place | undefined, other: Place): boolean =>
  one?.[0] === other[0] && one[1] === other[1];
