import { forgetLayer, type ManagedLayer } from '#features/map/contract/manage.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { mapLayersKey } from '../map-queries.ts';

type ForgetLayerDialogProps = { layer: ManagedLayer; version: number; onClose: () => void };

/** Asks before what was decided about a layer is removed. */
export function ForgetLayerDialog({ layer: { name, title }, version, onClose }: ForgetLayerDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const layer = title === '' ? name : title;
  return (
    <ConfirmAction
      title={t('MAP_LAYERS.FORGET.QUESTION', { layer })}
      confirmLabel={t('MAP_LAYERS.FORGET.ACTION')}
      tone="danger"
      action={() => api.call(forgetLayer, { body: { name, version } })}
      problem={(error) => problemText(t, error)}
      done={t('MAP_LAYERS.FORGET.DONE', { layer })}
      onDone={() => {
        onClose();
        void queries.invalidateQueries({ queryKey: mapLayersKey });
      }}
      onCancel={onClose}
    >
      <p>{t('MAP_LAYERS.FORGET.TEXT')}</p>
    </ConfirmAction>
  );
}
