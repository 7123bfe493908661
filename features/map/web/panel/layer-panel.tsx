import type { listMapLayers, MapLayer } from '#features/map/contract/map.ts';
import type { AnswerOf } from '#contract/route.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDrag } from '#web/platform/lists/drag.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { SearchInput } from '#web/ui/text-input.tsx';
import { type LayerGroup, layerTitle, layerTree, searchLayers } from '../layers/layer-tree.ts';
import { changed, type ShownLayer, toggled, moved } from '../layers/shown-layers.ts';
import type { MapHandle } from '../view/use-map.ts';
import { Drawing } from '#web/ui/icon.tsx';
import { drawings } from '../tools/map-tools.tsx';
import { ShownLayerItem } from './shown-layer-item.tsx';

type LayerPanelProps = {
  query: UseQueryResult<AnswerOf<typeof listMapLayers>>;
  known: ReadonlyMap<string, MapLayer>;
  shown: readonly ShownLayer[];
  onShown: (shown: readonly ShownLayer[]) => void;
  map: MapHandle;
  /** How many layers of the link are gone, or hidden from the person. */
  missing: number;
};

const none: readonly MapLayer[] = [];

/** The layers on the map in their order, and all that the person may see. On phones it opens over the map. */
export function LayerPanel({ query, known, shown, onShown, map, missing }: LayerPanelProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const server = query.data?.server;
  return (
    <section className="map-panel" data-open={open} aria-label={t('MAP.LAYERS')}>
      <header className="map-panel-head row gap-3 between">
        <h1 className="heading narrow-unseen" tabIndex={-1}>
          {t('MAP.TITLE')}
        </h1>
        <Button
          small
          className="map-panel-toggle"
          icon={open ? 'chevron-down' : 'list'}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('MAP.LAYERS_SHOWN', { count: shown.length })}
        </Button>
      </header>
      <div className="map-panel-body flex scrolls gap-5">
        {server === 'unavailable' ? (
          <Notice severity="medium" role="status">
            {t('MAP.SERVER_UNAVAILABLE')}{' '}
            <Button small busy={query.isFetching} onClick={() => void query.refetch()}>
              {t('MAP.TRY_AGAIN')}
            </Button>
          </Notice>
        ) : null}
        {missing > 0 ? <Notice severity="info">{t('MAP.MISSING', { count: missing })}</Notice> : null}
        <ShownList known={known} shown={shown} onShown={onShown} map={map} />
        {server === 'none' ? (
          <EmptyState icon="image" title={t('MAP.WITHOUT_SERVER.TITLE')}>
            {t('MAP.WITHOUT_SERVER.TEXT')}
          </EmptyState>
        ) : (
          <ListFrame
            texts="MAP.ALL"
            {...listState(t, query)}
            skeletonRows={5}
            count={known.size}
            empty={{ icon: 'image' }}
          >
            <AllLayers layers={query.data?.layers ?? none} shown={shown} onShown={onShown} />
          </ListFrame>
        )}
      </div>
    </section>
  );
}

/** Entries that are drawn at most; longer lists need a search. */
const mostDrawn = 200;
/** Groups of a short list are open from the start. */
const shortList = 40;

type AllLayersProps = {
  layers: readonly MapLayer[];
  shown: readonly ShownLayer[];
  onShown: (shown: readonly ShownLayer[]) => void;
};

/** All layers that the person may see, in the groups of the map server, with a search.
 * It renders again only when its layers change, since the map reports often. */
const AllLayers = memo(function AllLayers({ layers, shown, onShown }: AllLayersProps) {
  const { t, i18n } = useTranslation();
  const onToggle = (name: string) => onShown(toggled(shown, name));
  const [typed, setTyped] = useState('');
  const tree = useMemo(() => layerTree(layers), [layers]);
  const found = useMemo(
    () => (typed.trim() === '' ? null : searchLayers(layers, typed, i18n.language)),
    [layers, typed, i18n.language],
  );
  const isOn = useMemo(() => new Set(shown.map(({ name }) => name)), [shown]);
  return (
    <section className="map-all stack gap-2" aria-labelledby="map-all-title">
      <h2 id="map-all-title">{t('MAP.ALL.TITLE')}</h2>
      <SearchInput label={t('MAP.ALL.SEARCH')} value={typed} onValue={setTyped} />
      <p role="status" className={found === null ? 'visually-hidden' : 'muted'}>
        {found === null ? '' : t('MAP.ALL.FOUND', { count: found.length })}
      </p>
      {found === null ? (
        <Group group={tree} isOn={isOn} onToggle={onToggle} startsOpen={layers.length <= shortList} />
      ) : (
        <Layers layers={found} isOn={isOn} onToggle={onToggle} withGroup />
      )}
    </section>
  );
});

type GroupProps = {
  group: LayerGroup;
  isOn: ReadonlySet<string>;
  onToggle: (name: string) => void;
  startsOpen: boolean;
};

function Group({ group, isOn, onToggle, startsOpen }: GroupProps) {
  return (
    <>
      <Layers layers={group.layers} isOn={isOn} onToggle={onToggle} />
      {group.groups.slice(0, mostDrawn).map((inner) => (
        <InnerGroup key={inner.path} group={inner} isOn={isOn} onToggle={onToggle} startsOpen={startsOpen} />
      ))}
    </>
  );
}

/** A group. Layers of a closed group are not rendered: there may be thousands. */
function InnerGroup(props: GroupProps) {
  const { group, startsOpen } = props;
  const [open, setOpen] = useState(startsOpen);
  return (
    <details className="map-group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="row gap-1">
        <span dir="auto">{group.title}</span> <span className="muted">{group.count}</span>
      </summary>
      {open ? <Group {...props} /> : null}
    </details>
  );
}

type LayersProps = {
  layers: readonly MapLayer[];
  isOn: ReadonlySet<string>;
  onToggle: (name: string) => void;
  withGroup?: boolean;
};

function Layers({ layers, isOn, onToggle, withGroup = false }: LayersProps) {
  const { t, i18n } = useTranslation();
  if (layers.length === 0) return null;
  return (
    <>
      <ul className="map-choices">
        {layers.slice(0, mostDrawn).map((layer) => (
          <li key={layer.name}>
            <label className="row" title={layer.abstract === '' ? undefined : layer.abstract}>
              <input type="checkbox" checked={isOn.has(layer.name)} onChange={() => onToggle(layer.name)} />
              <span dir="auto">
                {layerTitle(layer, i18n.language)}
                {withGroup && layer.groups.length > 0 ? (
                  <span className="line muted small">{layer.groups.join(' › ')}</span>
                ) : null}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {layers.length > mostDrawn ? (
        <p className="muted">{t('MAP.ALL.MORE', { count: layers.length - mostDrawn })}</p>
      ) : null}
    </>
  );
}

type ShownListProps = {
  known: ReadonlyMap<string, MapLayer>;
  shown: readonly ShownLayer[];
  onShown: (shown: readonly ShownLayer[]) => void;
  map: MapHandle;
};

/** The layers on the map, the topmost first. People order them by dragging, or by arrow keys on the handle. */
function ShownList({ known, shown, onShown, map }: ShownListProps) {
  const { t, i18n } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const [spoken, setSpoken] = useState('');
  const movedLayer = useRef<string | null>(null);
  const titleOf = (name: string) => {
    const layer = known.get(name);
    return layer === undefined ? name : layerTitle(layer, i18n.language);
  };

  function move(from: number, to: number): void {
    const layer = shown[from];
    if (layer === undefined) return;
    movedLayer.current = layer.name;
    onShown(moved(shown, from, to));
    setSpoken(t('MAP.ORDER.MOVED', { layer: titleOf(layer.name), place: to + 1, count: shown.length }));
  }

  const drag = useDrag(list, move);

  // An element that is moved loses the focus, so it gets the focus again.
  useLayoutEffect(() => {
    if (movedLayer.current === null) return;
    const at = shown.findIndex(({ name }) => name === movedLayer.current);
    movedLayer.current = null;
    list.current?.querySelectorAll<HTMLElement>('.map-handle')[at]?.focus();
  }, [shown, movedLayer]);

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
              drag={drag(index).state}
              onChange={(change) => onShown(changed(shown, layer.name, change))}
              onRemove={() => onShown(toggled(shown, layer.name))}
              handle={
                <button
                  type="button"
                  className="map-handle grip rigid"
                  aria-label={t('MAP.ORDER.HANDLE', {
                    layer: titleOf(layer.name),
                    place: index + 1,
                    count: shown.length,
                  })}
                  title={t('MAP.ORDER.HINT')}
                  {...drag(index).handle}
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
