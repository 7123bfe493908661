import { switchFlag, type Flag } from '@portico/contract/flags';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../platform/contexts.tsx';
import { isProblem } from '../../../platform/problem-error.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { flagProblems } from './flag-problems.ts';
import { AffectedFlags, affectedBy } from './flag-uses.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';

/** Asks once before a flag changes for everyone; before it is turned off, with the flags that depend on it. */
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
  const details = useQuery({ ...flagQuery(api, flag.key), enabled: flag.enabled });
  const affected = details.data === undefined ? [] : affectedBy(details.data);
  const change = useMutation({
    mutationFn: () =>
      api.call(switchFlag, {
        params: { flagKey: flag.key },
        body: { enabled: !flag.enabled, version: flag.version, affected },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: flagsKey });
      notify({ kind: 'success', title: t(`FLAGS.TURN.${direction}.DONE`, { key: flag.key }) });
      onClose();
    },
    async onError(error) {
      if (isProblem(error, 'VERSION_CONFLICT', 'FLAG_IN_USE'))
        await queries.invalidateQueries({ queryKey: flagsKey });
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
      hold={flag.enabled && details.isPending ? 'loading' : undefined}
      error={flagProblems(t, change.error, null).general ?? null}
      onConfirm={() => change.mutate()}
      onCancel={onClose}
    >
      <div className="flag-question">
        <p>
          {t('FLAGS.CONNECTED_SENTENCE', { count: connected })} {t(`FLAGS.TURN.${direction}.EFFECT`)}
        </p>
        {flag.enabled ? <AffectedFlags details={details} sentence="OFF" /> : null}
      </div>
    </ConfirmDialog>
  );
}
