import type { ProposedChange } from '#features/permissions/contract/administration.ts';
import { ConfirmRemoval } from '#web/app/confirm-removal.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { rightsKey } from '#web/platform/rights-words.ts';
import { removalWords } from './problem-words.ts';
import { AffectedPeople } from './affected-people.tsx';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { LeaveButton } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type FormOptions, useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';

type EditDialogProps = Omit<ComponentProps<typeof FormDialog>, 'start'> & {
  /** Null: it is new. */
  onRemove: (() => void) | null;
};

/** The frame in which a right, a role or a mapping is created or edited. */
export function EditDialog({ onRemove, ...rest }: EditDialogProps) {
  const { t } = useTranslation();
  return (
    <FormDialog
      {...rest}
      action={onRemove === null ? (rest.action ?? rest.title) : t('EDITING.SAVE')}
      start={
        onRemove === null ? null : (
          <LeaveButton tone="danger" icon="trash" onLeave={onRemove}>
            {t('ROLES_AND_RIGHTS.REMOVE')}
          </LeaveButton>
        )
      }
    />
  );
}

type RemoveDialogProps = {
  /** The name of what is removed. */
  name: string;
  /** The effect, next to the people concerned. */
  effect: string;
  change: ProposedChange;
  remove: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before a right, a role or a mapping is removed, and lists whom that concerns. */
export function RemoveDialog({ name, effect, change, remove, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  return (
    <ConfirmRemoval
      name={name}
      list={rightsKey}
      remove={remove}
      problem={(error) => problemsOf(t, error, removalWords).general}
      onClose={onClose}
    >
      <p>{effect}</p>
      <AffectedPeople change={change} />
    </ConfirmRemoval>
  );
}

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
