import type { MapLayer } from '#features/map/contract/map.ts';
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spin } from '#web/ui/spinner.tsx';
import { layerTitle } from '../layers/layer-tree.ts';
import type { MapFetch } from '../layers/map-fetch.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import { type TimeDimension, readTimes } from '../layers/time-dimension.ts';
import { type MapHandle, picturesUrl } from '../view/use-map.ts';
import { useFormats } from '#web/platform/contexts.tsx';

type ShownLayerItemProps = {
  layer: ShownLayer;
  description: MapLayer;
  map: MapHandle;
  drag: 'dragged' | 'before' | 'after' | undefined;
  handle: ReactNode;
  onChange: (change: Partial<Omit<ShownLayer, 'name'>>) => void;
  onRemove: () => void;
};

/** Metres of a pixel by which scale denominators are defined (OGC). */
const pixelSize = 0.000_28;

/** One layer on the map: its legend, opacity and time, and why it cannot be shown. */
export function ShownLayerItem(props: ShownLayerItemProps) {
  const { layer, description, map, drag, handle, onChange, onRemove } = props;
  const { t, i18n } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const title = layerTitle(description, i18n.language);
  const state = map.states.get(layer.name);
  const times = useMemo(
    () =>
      description.time === null
        ? null
        : readTimes(description.time.values, description.time.default ?? undefined),
    [description.time],
  );
  const { bounds } = description;
  return (
    <li className="map-layer" data-drag={drag} aria-labelledby={id}>
      <div className="row gap-1">
        {handle}
        <span id={id} className="grow strong breaks" dir="auto">
          {title}
        </span>
        {state?.loading === true ? <Spin size={14} /> : null}
        {bounds === null ? null : (
          <IconButton
            icon="zoom-in"
            small
            label={t('MAP.LAYER.ZOOM_TO', { layer: title })}
            onClick={() => map.engine?.fit(bounds)}
          />
        )}
        <IconButton icon="close" small label={t('MAP.LAYER.REMOVE', { layer: title })} onClick={onRemove} />
      </div>
      <LayerProblem {...props} />
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="row gap-1">{t('MAP.LAYER.DETAILS')}</summary>
        <label className="map-opacity row">
          <span>{t('MAP.LAYER.OPACITY')}</span>
          <input
            type="range"
            className="grow"
            min={0}
            max={100}
            step={5}
            value={layer.opacity}
            aria-label={t('MAP.LAYER.OPACITY_OF', { layer: title })}
            aria-valuetext={`${layer.opacity} %`}
            onChange={(event) => onChange({ opacity: Number(event.currentTarget.value) })}
          />
          <output>{`${layer.opacity} %`}</output>
        </label>
        {description.abstract === '' ? null : <p dir="auto">{description.abstract}</p>}
        {open ? <Legend layer={description} title={title} mapFetch={map.mapFetch} /> : null}
        {description.attribution === '' ? null : (
          <p className="muted" dir="auto">
            {t('MAP.LAYER.SOURCE', { source: description.attribution })}
          </p>
        )}
      </details>
      {times === null || times.values.length < 2 ? null : (
        <TimeSlider
          layer={title}
          times={times}
          value={layer.time ?? times.initial}
          onValue={(time) => onChange({ time })}
        />
      )}
    </li>
  );
}

function LayerProblem({ layer, description, map }: ShownLayerItemProps) {
  const { t } = useTranslation();
  const problem = map.states.get(layer.name)?.problem ?? null;
  if (problem !== null) {
    return (
      <Notice severity="medium" role="status">
        {t(`MAP.PROBLEM.${problem.kind.toUpperCase()}`)}{' '}
        {problem.detail === '' ? null : <span className="line small breaks">{problem.detail}</span>}{' '}
        <Button small onClick={() => map.engine?.retry(layer.name)}>
          {t('MAP.TRY_AGAIN')}
        </Button>
      </Notice>
    );
  }
  const { least, most } = description.scale;
  const scale = map.position === null ? null : map.position.resolution / pixelSize;
  if (scale === null) return null;
  if (most !== null && scale > most) return <p className="muted">{t('MAP.LAYER.ZOOM_IN_FOR')}</p>;
  if (least !== null && scale < least) return <p className="muted">{t('MAP.LAYER.ZOOM_OUT_FOR')}</p>;
  return null;
}

/** The picture of a layer's signs, as the map server draws it. It is loaded when it is first in view. */
function Legend({ layer, title, mapFetch }: { layer: MapLayer; title: string; mapFetch: MapFetch }) {
  const { t } = useTranslation();
  const [picture, setPicture] = useState<{ address: string } | 'failed' | null>(null);
  const style = layer.styles[0];
  const hasLegend = style?.hasLegend ?? false;
  const styleName = style?.name ?? '';
  useEffect(() => {
    if (!hasLegend) return undefined;
    const ends = new AbortController();
    let address: string | null = null;
    const query = new URLSearchParams({
      SERVICE: 'WMS',
      VERSION: '1.3.0',
      REQUEST: 'GetLegendGraphic',
      SLD_VERSION: '1.1.0',
      FORMAT: 'image/png',
      LAYER: layer.name,
      STYLE: styleName,
    });
    mapFetch
      .get(`${picturesUrl}?${query}`, ends.signal)
      .then((answer) => answer.blob())
      .then(
        (blob) => {
          if (ends.signal.aborted) return;
          address = URL.createObjectURL(blob);
          setPicture({ address });
        },
        () => {
          if (!ends.signal.aborted) setPicture('failed');
        },
      );
    return () => {
      ends.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [layer.name, styleName, hasLegend, mapFetch]);
  if (!hasLegend || picture === null) return null;
  if (picture === 'failed') return <p className="muted">{t('MAP.LAYER.NO_LEGEND')}</p>;
  return (
    <img className="map-legend" src={picture.address} alt={t('MAP.LAYER.LEGEND_OF', { layer: title })} />
  );
}

type TimeSliderProps = {
  layer: string;
  times: TimeDimension;
  value: string;
  onValue: (value: string) => void;
};

/** Chooses one of the times of a layer. */
function TimeSlider({ layer, times: { values }, value, onValue }: TimeSliderProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const at = Math.max(0, values.indexOf(value));
  const written = timeText(value, formats);
  const step = (by: number) => {
    const next = values[at + by];
    if (next !== undefined) onValue(next);
  };
  return (
    <div className="map-time row" role="group" aria-label={t('MAP.TIME.OF', { layer })}>
      <IconButton
        icon="chevron-left"
        small
        label={t('MAP.TIME.BEFORE')}
        aria-disabled={at === 0}
        onClick={() => step(-1)}
      />
      <input
        type="range"
        className="grow"
        min={0}
        max={values.length - 1}
        value={at}
        aria-label={t('MAP.TIME.OF', { layer })}
        aria-valuetext={written}
        onChange={(event) => onValue(values[Number(event.currentTarget.value)] ?? value)}
      />
      <IconButton
        icon="chevron-right"
        small
        label={t('MAP.TIME.AFTER')}
        aria-disabled={at === values.length - 1}
        onClick={() => step(1)}
      />
      <output>{written}</output>
    </div>
  );
}

const dayParts = { dateStyle: 'medium' } as const;

/** A time as text: years as they are, months and days without a time of day, times in the person's zone. */
function timeText(value: string, formats: ReturnType<typeof useFormats>): string {
  const at = Date.parse(value);
  if (Number.isNaN(at) || /^\d{4}$/.test(value)) return value;
  if (value.includes('T')) return formats.dateTime(at);
  const parts = value.length === 7 ? ({ month: 'short', year: 'numeric' } as const) : dayParts;
  return new Intl.DateTimeFormat(formats.locale, { ...parts, timeZone: 'UTC' }).format(at);
}
