import type { MapLayer } from '#features/map/contract/map.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { Select } from '#web/ui/text-input.tsx';
import { coordinateFormats } from '../coordinates/coordinate-format.ts';
import type { ChosenFormat } from '../coordinates/use-coordinate-format.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import { sourcesOf } from '../layers/sources.ts';
import { createMeasures } from '../measure/lengths.ts';
import { scaleBar, scaleDenominator } from '../view/scale-bar.ts';
import type { MapHandle } from '../view/use-map.ts';

const barRoom = 90;

type CoordinatesBarProps = {
  map: MapHandle;
  shown: readonly ShownLayer[];
  known: ReadonlyMap<string, MapLayer>;
  format: ChosenFormat;
};

/** Scale, coordinates and sources, at the lower edge. Coordinates are of the pointer, or of the middle. */
export function CoordinatesBar({ map: { position, pointer }, shown, known, format }: CoordinatesBarProps) {
  const { t } = useTranslation();
  const { locale, number } = useFormats();
  const under = useStore(pointer);
  if (position === null) return null;
  const bar = scaleBar(position.ground, barRoom);
  const sources = t('MAP.LAYER.SOURCE', { source: sourcesOf(shown, known).join(' · ') });
  const metres = createMeasures(locale).length(bar.metres);
  return (
    <div className="map-card map-coordinates row wrap small">
      <span className="row" title={t('MAP.SCALE_HINT')}>
        <span className="map-scale-bar" style={{ width: bar.pixels }} aria-hidden="true" />
        <span>{metres}</span>
        <span className="muted map-wide-only">{`1 : ${number(scaleDenominator(position.ground))}`}</span>
      </span>
      <span className="map-place">{format.write(under ?? position.center)}</span>
      <Select
        aria-label={t('MAP.COORDINATES.FORMAT')}
        value={format.format}
        onValue={format.choose}
        options={coordinateFormats.map((value) => ({
          value,
          label: t(`MAP.COORDINATES.${value.toUpperCase()}`),
        }))}
      />
      <span className="map-sources muted" title={sources} dir="auto">
        {sources}
      </span>
    </div>
  );
}
