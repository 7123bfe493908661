import { deleteFlag, type Flag } from '@portico/contract/flags';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { isProblem } from '../../../platform/problem-error.ts';
import { flagProblems } from './flag-problems.ts';
import { AffectedFlags, askingFor } from './flag-uses.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';

type DeleteFlagDialogProps = { flag: Flag; connected: number; onClose: () => void; onDeleted: () => void };

/** Asks before a flag is gone: clients then use the value in their code. Flags whose rules ask for it keep it, and are named. */
export function DeleteFlagDialog({ flag, connected, onClose, onDeleted }: DeleteFlagDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const details = useQuery(flagQuery(api, flag.key));
  const isNeeded = details.data !== undefined && askingFor(details.data).length > 0;
  const remove = useMutation({
    mutationFn: () =>
      api.call(deleteFlag, { params: { flagKey: flag.key }, query: { version: flag.version } }),
    async onSuccess() {
      onDeleted();
      notify({ kind: 'success', title: t('FLAGS.DELETED', { key: flag.key }) });
      await queries.invalidateQueries({ queryKey: flagsKey });
    },
    async onError(error) {
      if (isProblem(error, 'FLAG_IN_USE')) await details.refetch();
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('FLAGS.DELETE_QUESTION', { key: flag.key })}
      confirmLabel={t('FLAGS.DELETE')}
      cancelLabel={t('COMMON.CANCEL')}
      closeLabel={t('COMMON.CLOSE')}
      tone="danger"
      busy={remove.isPending}
      hold={details.isPending ? 'loading' : isNeeded ? 'refused' : undefined}
      error={flagProblems(t, remove.error, null).general ?? null}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <div className="flag-question">
        {isNeeded ? null : (
          <p>
            {t('FLAGS.CONNECTED_SENTENCE', { count: connected })} {t('FLAGS.DELETE_EFFECT')}
          </p>
        )}
        <AffectedFlags details={details} sentence="DELETE" />
      </div>
    </ConfirmDialog>
  );
}
