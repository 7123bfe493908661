import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../platform/problem-error.ts';
import { rightsKey } from '../../platform/rights-words.ts';
import { notify } from '../../ui/notifications/notifications.ts';

/** Saves a right, a role or a mapping; then what is told is its name, and the dialog is over. */
export function useRightsSaving<Saved>(
  save: () => Promise<Saved>,
  { nameOf, onClose }: { nameOf: (saved: Saved) => string; onClose: () => void },
) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: save,
    async onSuccess(saved) {
      onClose();
      notify({ kind: 'success', title: t('ROLES_AND_RIGHTS.SAVED', { name: nameOf(saved) }) });
      await queries.invalidateQueries({ queryKey: rightsKey });
    },
    async onError(error) {
      // Whoever opens it again finds the new state.
      if (isProblem(error, 'VERSION_CONFLICT', 'NOT_FOUND'))
        await queries.invalidateQueries({ queryKey: rightsKey });
    },
  });
}
