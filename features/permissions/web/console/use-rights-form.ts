import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type FormOptions, useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { rightsKey } from '#web/platform/rights-words.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { notify } from '#web/ui/notifications/notifications.ts';

type RightsFormOptions<Values extends object, Result> = Pick<
  FormOptions<Values, Result, void>,
  'saved' | 'save' | 'onSaved' | 'follows' | 'gone'
> & {
  nameOf: (result: Result, values: Values) => string;
  /** Replaces the result with the state before it. */
  undo?: (result: Result) => Promise<unknown>;
};

/** The form of a right, a role or a mapping. After saving, a notification names it. */
export function useRightsForm<Values extends object, Result>({
  nameOf,
  onSaved,
  undo,
  ...options
}: RightsFormOptions<Values, Result>) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useVersionedForm<Values, Result>({
    ...options,
    async onSaved(result, values) {
      onSaved?.(result, values);
      const title = t('ROLES_AND_RIGHTS.SAVED', { name: nameOf(result, values) });
      const reload = () => queries.invalidateQueries({ queryKey: rightsKey });
      if (undo === undefined) notify({ kind: 'success', title });
      else
        notifyUndoable(t, {
          key: 'rights',
          title,
          undo: () => undo(result).finally(() => void reload()),
          problem: (error) => problemText(t, error),
        });
      await reload();
    },
    // If it is opened again, it shows the new state.
    reload: rightsKey,
  });
}
