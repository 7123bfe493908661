import { deleteFlag, type Flag } from '#features/flags/contract/flags.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { flagProblems } from './flag-words.ts';
import { AffectedFlags, askingFor } from './flag-uses.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';

type DeleteFlagDialogProps = { flag: Flag; connected: number; onClose: () => void; onDeleted: () => void };

/**
 * Asks before a flag is deleted: clients then use the value in their code. Refused while other flags depend
 * on it, which are named.
 */
export function DeleteFlagDialog({ flag, connected, onClose, onDeleted }: DeleteFlagDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const details = useQuery(flagQuery(api, flag.key));
  const isNeeded = details.data !== undefined && askingFor(details.data).length > 0;

  async function remove(): Promise<void> {
    const call = { params: { flagKey: flag.key }, query: { version: flag.version } };
    await api.call(deleteFlag, call).catch(async (error: unknown) => {
      if (isProblem(error, 'FLAG_IN_USE')) await details.refetch();
      throw error;
    });
  }

  return (
    <ConfirmAction
      title={t('FLAGS.DELETE_QUESTION', { key: flag.key })}
      confirmLabel={t('FLAGS.DELETE')}
      tone="danger"
      hold={details.isPending ? 'loading' : isNeeded ? 'refused' : undefined}
      action={remove}
      problem={(error) => flagProblems(t, error).general}
      done={t('FLAGS.DELETED', { key: flag.key })}
      onDone={() => {
        onDeleted();
        void queries.invalidateQueries({ queryKey: flagsKey });
      }}
      onCancel={onClose}
    >
      <div className="stack breaks">
        {isNeeded ? null : (
          <p>
            {t('FLAGS.CONNECTED_SENTENCE', { count: connected })} {t('FLAGS.DELETE_EFFECT')}
          </p>
        )}
        <AffectedFlags details={details} sentence="DELETE" />
      </div>
    </ConfirmAction>
  );
}
