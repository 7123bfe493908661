import type { MapLayer } from '#features/map/contract/map.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChosenFormat } from '../coordinates/coordinate-format.ts';
import { layerTitle } from '../layers/layer-tree.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import { scaleDenominator } from './scale-bar.ts';
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
