import { type ManagedLayer, most, orderLayers } from '#features/map/contract/manage.ts';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { MoreMenu } from '#web/ui/menu.tsx';
import { useTableView } from '#features/views/web/table-view.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { layerTitle, mapLayersKey } from '../layers/layer-tree.ts';
import { moved } from '../layers/shown-layers.ts';

type LayersTableProps = {
  layers: readonly ManagedLayer[];
  /** The place of each layer in the whole order. */
  placeOf: (name: string) => number;
  order: ReturnType<typeof useLayerOrder>;
  onEdit: (layer: ManagedLayer) => void;
  onForget: (layer: ManagedLayer) => void;
};

/** The layers with the decisions about them, the topmost first. */
export function LayersTable({ layers, placeOf, order, onEdit, onForget }: LayersTableProps) {
  const { t, i18n } = useTranslation();
  const words = useRightsWords();
  const columns: Column<ManagedLayer>[] = [
    {
      key: 'name',
      header: t('MAP_LAYERS.NAME'),
      role: 'primary',
      cell: (layer) => (
        <div>
          <strong dir="auto">{layerTitle(layer, i18n.language)}</strong>{' '}
          {layer.listed ? null : <Tag kind="medium">{t('MAP_LAYERS.NOT_LISTED')}</Tag>}
          {layer.holds.length === 0 ? null : (
            <Tag>{t('MAP_LAYERS.GROUP', { count: layer.holds.length })}</Tag>
          )}
          <span className="map-console-detail muted small breaks line" dir="auto">
            {[...layer.groups, layer.name].join(' › ')}
          </span>
        </div>
      ),
    },
    {
      key: 'access',
      header: t('MAP_LAYERS.SEEN_BY'),
      cell: ({ guardedBy, access, holds, workspace }) => (
        <div className="map-console-access">
          {guardedBy === null ? t('MAP_LAYERS.ACCESS.OPEN') : words.right(guardedBy)}{' '}
          {access === 'inherited' && workspace !== '' ? (
            <span className="map-console-detail map-console-origin muted small breaks line">
              {t('MAP_LAYERS.BY_WORKSPACE')}
            </span>
          ) : null}{' '}
          {holds.length === 0 ? null : (
            <span className="map-console-detail muted small breaks line">
              {t('MAP_LAYERS.AND_ITS_LAYERS')}
            </span>
          )}
        </div>
      ),
    },
    {
      key: 'on',
      header: t('MAP_LAYERS.ON_AT_FIRST'),
      tight: true,
      narrow: 'labelled',
      cell: ({ onAtFirst, holds }) =>
        holds.length > 0 ? null : t(onAtFirst ? 'MAP_LAYERS.ON' : 'MAP_LAYERS.OFF'),
    },
    {
      key: 'order',
      header: t('MAP_LAYERS.ACTIONS'),
      headerHidden: true,
      tight: true,
      role: 'beside',
      cell: (layer) => {
        const place = placeOf(layer.name);
        const step = (label: string, to: number, disabled: boolean) => ({
          label: t(`MAP_LAYERS.ORDER.${label}`),
          disabled: disabled || order.busy,
          onSelect: () => order.move(layer.name, to),
        });
        return (
          <MoreMenu
            label={t('MAP_LAYERS.MORE', { layer: layerTitle(layer, i18n.language) })}
            items={[
              { label: t('MAP_LAYERS.EDIT'), icon: 'edit', onSelect: () => onEdit(layer) },
              step('TOP', 0, place === 0),
              step('UP', place - 1, place === 0),
              step('DOWN', place + 1, place >= order.last),
              ...(layer.version === null
                ? []
                : [
                    {
                      label: t('MAP_LAYERS.FORGET.ACTION'),
                      icon: 'trash' as const,
                      danger: true,
                      onSelect: () => onForget(layer),
                    },
                  ]),
            ]}
          />
        );
      },
    },
  ];
  return (
    <Table
      caption={t('MAP_LAYERS.TITLE')}
      {...useTableView('map-layers', columns)}
      rows={layers}
      rowKey={({ name }) => name}
      open={{ act: onEdit }}
    />
  );
}

/** Moves a layer to another place of the whole order, and saves that at once. */
export function useLayerOrder(layers: readonly ManagedLayer[], version: number) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (names: string[]) => api.call(orderLayers, { body: { names, version } }),
    onError: (error) => notify({ kind: 'error', title: problemText(t, error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: mapLayersKey }),
  });
  return {
    busy: saving.isPending,
    /** The last place that can be ordered; later layers follow in the order of the map server. */
    last: Math.min(layers.length, most.ordered) - 1,
    move(name: string, to: number): void {
      const names = layers.map((layer) => layer.name);
      const from = names.indexOf(name);
      if (from === -1 || from === to || saving.isPending) return;
      saving.mutate(moved(names, from, to).slice(0, most.ordered));
    },
  };
}
