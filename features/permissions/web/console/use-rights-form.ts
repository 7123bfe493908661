import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type FormOptions, useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { rightsKey } from '#web/platform/rights-words.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';

type RightsFormOptions<Values extends object, Result> = Pick<
  FormOptions<Values, Result, void>,
  'saved' | 'save' | 'onSaved' | 'follows' | 'gone'
> & {
  nameOf: (result: Result, values: Values) => string;
};

/** The form of a right, a role or a mapping. After saving, a notification names it. */
export function useRightsForm<Values extends object, Result>({
  nameOf,
  onSaved,
  ...options
}: RightsFormOptions<Values, Result>) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useVersionedForm<Values, Result>({
    ...options,
    async onSaved(result, values, undo) {
      onSaved?.(result, values, undo);
      notifyUndoable(t, {
        key: 'rights',
        title: t('ROLES_AND_RIGHTS.SAVED', { name: nameOf(result, values) }),
        undo,
        problem: (error) => problemText(t, error),
      });
      await queries.invalidateQueries({ queryKey: rightsKey });
    },
    // If it is opened again, it shows the new state.
    reload: rightsKey,
  });
}
