import { most, orderLayers, type ManagedLayer } from '#features/map/contract/manage.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { moved } from '../layers/layer-order.ts';
import { mapLayersKey } from '../map-queries.ts';

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
    /** Only so many places can be ordered; the layers after them follow as the map server has them. */
    last: Math.min(layers.length, most.ordered) - 1,
    move(name: string, to: number): void {
      const names = layers.map((layer) => layer.name);
      const from = names.indexOf(name);
      if (from === -1 || from === to || saving.isPending) return;
      saving.mutate(moved(names, from, to).slice(0, most.ordered));
    },
  };
}
