import type { MapLayer } from '#features/map/contract/map.ts';
import { memo, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchInput } from '#web/ui/text-input.tsx';
import { type LayerGroup, layerTitle, layerTree, searchLayers } from '../layers/layer-tree.ts';
import { toggled, type ShownLayer } from '../layers/shown-layers.ts';

/** Longer lists are searched. */
const mostDrawn = 200;
/** Groups of a short list are open from the start. */
const shortList = 40;

type AllLayersProps = {
  layers: readonly MapLayer[];
  shown: readonly ShownLayer[];
  onShown: (shown: readonly ShownLayer[]) => void;
};

/** All layers that the person may see, in the groups of the map server, with a search.
 * Drawn again only when they change: the map reports often. */
export const AllLayers = memo(function AllLayers({ layers, shown, onShown }: AllLayersProps) {
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
    <section className="map-all" aria-labelledby="map-all-title">
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

/** What a closed group holds is not drawn: there may be thousands. */
function InnerGroup(props: GroupProps) {
  const { group, startsOpen } = props;
  const [open, setOpen] = useState(startsOpen);
  return (
    <details className="map-group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
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
            <label title={layer.abstract === '' ? undefined : layer.abstract}>
              <input type="checkbox" checked={isOn.has(layer.name)} onChange={() => onToggle(layer.name)} />
              <span dir="auto">
                {layerTitle(layer, i18n.language)}
                {withGroup && layer.groups.length > 0 ? (
                  <span className="map-choice-group">{layer.groups.join(' › ')}</span>
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
