import type { MapLayer } from '#features/map/contract/map.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChosenFormat } from '../coordinates/coordinate-format.ts';
import { layerTitle } from '../layers/layer-tree.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import type { MapHandle } from './use-map.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** Keyboard moves follow each other, so only the place after this pause, milliseconds, is spoken. */
const rest = 700;

type MapCanvasProps = {
  map: MapHandle;
  shown: readonly ShownLayer[];
  known: ReadonlyMap<string, MapLayer>;
  format: ChosenFormat;
};

/**
 * The map itself. Arrows, plus and minus move it, Enter presses its middle; the text next to it says what it
 * shows.
 */
export function MapCanvas({ map, shown, known, format }: MapCanvasProps) {
  const { t, i18n } = useTranslation();
  const { list, number } = useFormats();
  const { position, onTarget } = map;
  const titles = shown.flatMap(({ name }) => {
    const layer = known.get(name);
    return layer === undefined ? [] : [layerTitle(layer, i18n.language)];
  });
  const place =
    position === null
      ? ''
      : t(position.country === '' ? 'MAP.AT_SEA' : 'MAP.AT_COUNTRY', {
          place: format.write(position.center, position.ground),
          country: position.country,
          scale: number(scaleDenominator(position.ground)),
        });
  const layers =
    titles.length === 0
      ? t('MAP.SHOWS_NONE')
      : t('MAP.SHOWS', { layers: list(titles), count: titles.length });
  return (
    <>
      <div
        ref={onTarget}
        className="map-canvas"
        data-scheme={map.scheme}
        role="application"
        aria-label={t('MAP.NAME')}
        aria-describedby="map-in-words map-keys"
      />
      <svg className="map-crosshair" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 1v8M12 15v8M1 12h8M15 12h8" />
      </svg>
      <p id="map-keys" className="visually-hidden">
        {t('MAP.KEYS')}
      </p>
      <Spoken id="map-in-words" text={`${place} ${layers}`} />
    </>
  );
}

function Spoken({ id, text }: { id: string; text: string }) {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), rest);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p id={id} className="visually-hidden" role="status">
      {spoken}
    </p>
  );
}

/** The length of a scale bar: the longest round one that fits. */
type ScaleBar = { metres: number; pixels: number };

/**
 * @param resolution metres on the ground for a pixel
 * @param room pixels
 */
export function scaleBar(resolution: number, room: number): ScaleBar {
  const longest = resolution * room;
  const power = 10 ** Math.floor(Math.log10(longest));
  const metres = ([5, 2, 1].find((step) => step * power <= longest) ?? 1) * power;
  return { metres, pixels: metres / resolution };
}

/** The scale's denominator, as in `1 : 250,000`, for pixels of 0.28 mm (OGC), rounded to two figures. */
export function scaleDenominator(resolution: number): number {
  const exact = resolution / 0.000_28;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
  return Math.round(exact / power) * power;
}
