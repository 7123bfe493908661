import type { MapLayer } from '#features/map/contract/map.ts';
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Drawing } from '#web/ui/icon.tsx';
import { moved, placeAt } from '../layers/layer-order.ts';
import { layerTitle } from '../layers/layer-tree.ts';
import { changed, toggled, type ShownLayer } from '../layers/shown-layers.ts';
import { drawings } from '../tools/drawings.ts';
import type { MapHandle } from '../view/use-map.ts';
import { ShownLayerItem } from './shown-layer-item.tsx';

type ShownListProps = {
  known: ReadonlyMap<string, MapLayer>;
  shown: readonly ShownLayer[];
  onShown: (shown: readonly ShownLayer[]) => void;
  map: MapHandle;
};

/** The layers on the map, the topmost first. They are ordered by dragging, or by the arrows on their handle. */
export function ShownList({ known, shown, onShown, map }: ShownListProps) {
  const { t, i18n } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ name: string; place: number } | null>(null);
  const [spoken, setSpoken] = useState('');
  const movedLayer = useRef<string | null>(null);
  const titleOf = (name: string) => {
    const layer = known.get(name);
    return layer === undefined ? name : layerTitle(layer, i18n.language);
  };

  function move(from: number, to: number): void {
    const place = Math.max(0, Math.min(shown.length - 1, to));
    const layer = shown[from];
    if (layer === undefined || place === from) return;
    movedLayer.current = layer.name;
    onShown(moved(shown, from, place));
    setSpoken(t('MAP.ORDER.MOVED', { layer: titleOf(layer.name), place: place + 1, count: shown.length }));
  }

  // A moved element loses the focus.
  useLayoutEffect(() => {
    if (movedLayer.current === null) return;
    const at = shown.findIndex(({ name }) => name === movedLayer.current);
    movedLayer.current = null;
    list.current?.querySelectorAll<HTMLElement>('.map-handle')[at]?.focus();
  }, [shown, movedLayer]);

  /** Where the dragged layer would stand if it were dropped now. */
  function placeUnder(event: PointerEvent, from: number): number {
    const middles = [...(list.current?.children ?? [])].map((item) => {
      const { top, height } = item.getBoundingClientRect();
      return top + height / 2;
    });
    return placeAt(middles, from, event.clientY);
  }

  return (
    <section className="map-shown" aria-labelledby="map-shown-title">
      <h2 id="map-shown-title">{t('MAP.SHOWN.TITLE')}</h2>
      {shown.length === 0 && known.size > 0 ? <p className="muted">{t('MAP.SHOWN.NONE')}</p> : null}
      <ol ref={list}>
        {shown.map((layer, index) => {
          const description = known.get(layer.name);
          if (description === undefined) return null;
          return (
            <ShownLayerItem
              key={layer.name}
              layer={layer}
              description={description}
              map={map}
              dragged={drag?.name === layer.name}
              drop={dropAt(drag, shown, index)}
              onChange={(change) => onShown(changed(shown, layer.name, change))}
              onRemove={() => onShown(toggled(shown, layer.name))}
              handle={
                <button
                  type="button"
                  className="map-handle rounded rigid muted"
                  aria-label={t('MAP.ORDER.HANDLE', {
                    layer: titleOf(layer.name),
                    place: index + 1,
                    count: shown.length,
                  })}
                  title={t('MAP.ORDER.HINT')}
                  onKeyDown={(event) => {
                    const to = placeByKey(event.key, index, shown.length);
                    if (to === undefined) return;
                    event.preventDefault();
                    move(index, to);
                  }}
                  onPointerDown={(event) => {
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setDrag({ name: layer.name, place: index });
                  }}
                  onPointerMove={(event) => {
                    if (drag?.name === layer.name)
                      setDrag({ name: layer.name, place: placeUnder(event, index) });
                  }}
                  onPointerUp={(event) => {
                    if (drag?.name === layer.name) move(index, placeUnder(event, index));
                  }}
                  onLostPointerCapture={() => setDrag(null)}
                >
                  <Drawing path={drawings.handle} />
                </button>
              }
            />
          );
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {spoken}
      </p>
    </section>
  );
}

/** Where a key moves an entry to; undefined: it is not for that. */
function placeByKey(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowUp') return at - 1;
  if (key === 'ArrowDown') return at + 1;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** On which side of an entry the dragged one would be dropped. */
function dropAt(
  drag: { name: string; place: number } | null,
  shown: readonly ShownLayer[],
  index: number,
): 'above' | 'below' | undefined {
  if (drag === null || drag.place !== index) return undefined;
  const from = shown.findIndex(({ name }) => name === drag.name);
  return from === index ? undefined : from > index ? 'above' : 'below';
}
