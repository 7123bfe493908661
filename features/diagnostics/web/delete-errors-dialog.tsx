import { changeErrors } from '#features/diagnostics/contract/diagnostics.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import type { ChangedError } from './error-changes.ts';
import { errorsKey } from './errors-queries.ts';

type DeleteErrorsDialogProps = {
  errors: readonly ChangedError[];
  onClose: () => void;
  onDeleted: () => void;
};

/** Asks before errors are deleted with their events. */
export function DeleteErrorsDialog({ errors, onClose, onDeleted }: DeleteErrorsDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const count = errors.length;
  return (
    <ConfirmAction
      title={t('DIAGNOSTICS.DELETE.QUESTION', { count })}
      confirmLabel={t('DIAGNOSTICS.ACTIONS.DELETE')}
      tone="danger"
      action={() =>
        api.call(changeErrors, {
          body: { change: 'delete', errors: errors.map(({ id, version }) => ({ id, version })) },
        })
      }
      problem={(error) => problemText(t, error)}
      onDone={({ changed, skipped }) => {
        notify({
          kind: skipped.length > 0 ? 'warning' : 'success',
          title: t('DIAGNOSTICS.DELETE.DONE', { count: changed.length }),
          ...(skipped.length > 0 ? { content: t('DIAGNOSTICS.SKIPPED', { count: skipped.length }) } : {}),
        });
        onClose();
        if (changed.length > 0) onDeleted();
        void queries.invalidateQueries({ queryKey: errorsKey });
      }}
      onCancel={onClose}
    >
      <p>{t('DIAGNOSTICS.DELETE.TEXT', { count })}</p>
    </ConfirmAction>
  );
}
