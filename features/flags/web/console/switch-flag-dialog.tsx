import { switchFlag, type Flag } from '#features/flags/contract/flags.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { flagProblems } from './flag-words.ts';
import { AffectedFlags, affectedBy } from './flag-uses.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';

/**
 * Asks before a flag is turned on or off for everyone; before turning it off, with the flags that depend on
 * it.
 */
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
  const reload = () => queries.invalidateQueries({ queryKey: flagsKey });

  async function turn(): Promise<void> {
    const params = { flagKey: flag.key };
    const body = { enabled: !flag.enabled, version: flag.version, affected };
    await api.call(switchFlag, { params, body }).catch(async (error: unknown) => {
      if (isProblem(error, 'VERSION_CONFLICT', 'FLAG_IN_USE')) await reload();
      throw error;
    });
    await reload();
  }

  return (
    <ConfirmAction
      title={t(`FLAGS.TURN.${direction}.QUESTION`, { key: flag.key })}
      confirmLabel={t(`FLAGS.TURN.${direction}.ACTION`)}
      cancelLabel={t(`FLAGS.TURN.${direction}.CANCEL`)}
      hold={flag.enabled && details.isPending ? 'loading' : undefined}
      action={turn}
      problem={(error) => flagProblems(t, error).general}
      done={t(`FLAGS.TURN.${direction}.DONE`, { key: flag.key })}
      onDone={onClose}
      onCancel={onClose}
    >
      <div className="stack breaks">
        <p>
          {t('FLAGS.CONNECTED_SENTENCE', { count: connected })} {t(`FLAGS.TURN.${direction}.EFFECT`)}
        </p>
        {flag.enabled ? <AffectedFlags details={details} sentence="OFF" /> : null}
      </div>
    </ConfirmAction>
  );
}
