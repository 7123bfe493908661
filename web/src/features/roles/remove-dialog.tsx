import type { ProposedChange } from '@portico/contract/rights-administration';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { spoken } from '../../platform/i18n/isolated.ts';
import { rightsKey } from '../../platform/rights-words.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { rightsProblems } from './rights-problems.ts';
import { Touched, usePreview } from './touched.tsx';

type RemoveDialogProps = {
  /** What is removed, by its name. */
  name: string;
  /** What it means, beside whom it touches. */
  effect: string;
  change: ProposedChange;
  remove: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before a right, a role or a mapping is gone, and says whom that touches. */
export function RemoveDialog({ name, effect, change, remove, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const preview = usePreview(change);
  const removal = useMutation({
    mutationFn: remove,
    async onSuccess() {
      onClose();
      notify({ kind: 'success', title: t('ROLES_AND_RIGHTS.REMOVED', { name: spoken(name) }) });
      await queries.invalidateQueries({ queryKey: rightsKey });
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('ROLES_AND_RIGHTS.REMOVE_QUESTION', { name: spoken(name) })}
      confirmLabel={t('ROLES_AND_RIGHTS.REMOVE')}
      cancelLabel={t('COMMON.CANCEL')}
      closeLabel={t('COMMON.CLOSE')}
      tone="danger"
      busy={removal.isPending}
      error={removal.isError ? rightsProblems(t, removal.error, {}).general : null}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{effect}</p>
      <Touched {...preview} />
    </ConfirmDialog>
  );
}
