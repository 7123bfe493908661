import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { LeaveButton } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';

type EditDialogProps = Omit<ComponentProps<typeof FormDialog>, 'action' | 'onSubmit' | 'start'> & {
  /** Null: read only. */
  onSave: (() => void) | null;
  /** Null: it cannot be removed. */
  onRemove: (() => void) | null;
};

/** The frame in which a right, a role or a mapping is added, edited or removed. */
export function EditDialog({ onSave, onRemove, ...rest }: EditDialogProps) {
  const { t } = useTranslation();
  return (
    <FormDialog
      {...rest}
      action={onSave === null ? null : t('EDITING.SAVE')}
      onSubmit={() => onSave?.()}
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
