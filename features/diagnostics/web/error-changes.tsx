import {
  changeErrors,
  type ErrorChange,
  type ErrorGroup,
} from '#features/diagnostics/contract/diagnostics.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { notify } from '#web/ui/notifications/notifications.ts';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { errorsKey } from './errors-queries.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';

type ChangedError = Pick<ErrorGroup, 'id' | 'version' | 'status' | 'resolvedAfter' | 'message'>;

type Wanted = { change: Exclude<ErrorChange, 'delete'>; errors: readonly ChangedError[] };

/** Resolves, ignores or reopens errors; the notification afterwards can undo the change. */
export function useErrorChange() {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: errorsKey });

  return useMutation({
    mutationFn: ({ change, errors }: Wanted) =>
      api.call(changeErrors, {
        body: { change, errors: errors.map(({ id, version }) => ({ id, version })) },
      }),
    onSuccess({ changed, skipped }, { change, errors }) {
      const count = changed.length;
      const said = {
        title: t(`DIAGNOSTICS.DONE.${catalogueKey(change)}`, { count }),
        ...(skipped.length > 0
          ? {
              content: [
                t('DIAGNOSTICS.SKIPPED', { count: skipped.length }),
                ...errors.filter(({ id }) => skipped.includes(id)).map(({ message }) => message),
              ].join('\n'),
            }
          : {}),
      };
      if (count === 0) notify({ kind: 'warning', ...said });
      else
        notifyUndoable(t, {
          ...said,
          undo: () => takeBack(api, errors, changed).finally(() => void reload()),
          problem: (error) => problemText(t, error),
        });
    },
    onError: (error) =>
      notify({ kind: 'error', title: t('DIAGNOSTICS.NOT_CHANGED'), content: problemText(t, error) ?? '' }),
    onSettled: reload,
  });
}

/** Brings each error back into the status that it had. */
async function takeBack(
  api: Api,
  before: readonly ChangedError[],
  now: readonly { id: string; version: number }[],
): Promise<void> {
  const wanted = Map.groupBy(now, ({ id }) => changeBackTo(before.find((one) => one.id === id)));
  for (const [change, errors] of wanted) await api.call(changeErrors, { body: { change, errors } });
}

function changeBackTo(before: ChangedError | undefined): Wanted['change'] {
  if (before?.status === 'ignored') return 'ignore';
  if (before?.status !== 'resolved') return 'reopen';
  return before.resolvedAfter === null ? 'resolve' : 'resolve-in-next-release';
}

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
