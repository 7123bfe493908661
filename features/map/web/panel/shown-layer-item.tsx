import type { MapLayer } from '#features/map/contract/map.ts';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spin } from '#web/ui/spinner.tsx';
import { layerTitle } from '../layers/layer-tree.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import { readTimes } from '../layers/time-dimension.ts';
import type { MapHandle } from '../view/use-map.ts';
import { Legend } from './legend.tsx';
import { TimeSlider } from './time-slider.tsx';

type ShownLayerItemProps = {
  layer: ShownLayer;
  description: MapLayer;
  map: MapHandle;
  dragged: boolean;
  drop: 'above' | 'below' | undefined;
  handle: ReactNode;
  onChange: (change: Partial<Omit<ShownLayer, 'name'>>) => void;
  onRemove: () => void;
};

/** Metres of a pixel by which scale denominators are defined (OGC). */
const pixelSize = 0.000_28;

/** One layer on the map: its legend, opacity and time, and why it cannot be shown. */
export function ShownLayerItem(props: ShownLayerItemProps) {
  const { layer, description, map, dragged, drop, handle, onChange, onRemove } = props;
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
    <li className="map-layer" data-dragged={dragged} data-drop={drop} aria-labelledby={id}>
      <div className="map-layer-head">
        {handle}
        <span id={id} className="map-layer-title" dir="auto">
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
        <summary>{t('MAP.LAYER.DETAILS')}</summary>
        <label className="map-opacity">
          <span>{t('MAP.LAYER.OPACITY')}</span>
          <input
            type="range"
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
        {problem.detail === '' ? null : <span className="map-problem-detail">{problem.detail}</span>}{' '}
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
