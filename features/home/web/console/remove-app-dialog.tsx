import { type ManagedApp, removeApp } from '#features/home/contract/apps.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { appsKey } from './apps-query.ts';

/** Asks before an application leaves the home screen. */
export function RemoveAppDialog({ app: { key, name }, onClose }: { app: ManagedApp; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  return (
    <ConfirmAction
      title={t('APPS.REMOVE_QUESTION', { name })}
      confirmLabel={t('APPS.REMOVE')}
      tone="danger"
      action={() => api.call(removeApp, { params: { id: key } })}
      problem={(error) => problemText(t, error)}
      done={t('APPS.REMOVED', { name })}
      onDone={() => {
        onClose();
        void queries.invalidateQueries({ queryKey: appsKey });
      }}
      onCancel={onClose}
    >
      <p>{t('APPS.REMOVE_TEXT')}</p>
    </ConfirmAction>
  );
}
