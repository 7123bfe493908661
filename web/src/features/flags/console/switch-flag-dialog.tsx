import { switchFlag, type Flag } from '@portico/contract/flags';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { isProblem } from '../../../platform/problem-error.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { flagProblems } from './flag-problems.ts';
import { flagsKey } from './flags-query.ts';

/** Asks once before a flag changes for everyone. */
export function SwitchFlagDialog({
  flag,
  connected,
  onClose,
}: {
  flag: Flag;
  connected: number;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const direction = flag.enabled ? 'OFF' : 'ON';
  const change = useMutation({
    mutationFn: () =>
      api.call(switchFlag, {
        params: { flagKey: flag.key },
        body: { enabled: !flag.enabled, version: flag.version },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notify({ kind: 'success', title: t(`FLAGS.TURN.${direction}.DONE`, { key: flag.key }) });
      onClose();
    },
    async onError(error) {
      if (isProblem(error, 'VERSION_CONFLICT')) await queries.invalidateQueries({ queryKey: flagsKey });
    },
  });
  return (
    <ConfirmDialog
      open
      title={t(`FLAGS.TURN.${direction}.QUESTION`, { key: flag.key })}
      confirmLabel={t(`FLAGS.TURN.${direction}.ACTION`)}
      cancelLabel={t(`FLAGS.TURN.${direction}.CANCEL`)}
      closeLabel={t('COMMON.CLOSE')}
      busy={change.isPending}
      error={flagProblems(t, change.error, null).general ?? null}
      onConfirm={() => change.mutate()}
      onCancel={onClose}
    >
      <p>
        {t('FLAGS.CONNECTED_SENTENCE', { count: connected })} {t(`FLAGS.TURN.${direction}.EFFECT`)}
      </p>
    </ConfirmDialog>
  );
}
