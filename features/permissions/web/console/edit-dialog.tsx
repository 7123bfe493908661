import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { LeaveButton } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';

type EditDialogProps = Omit<ComponentProps<typeof FormDialog>, 'start'> & {
  /** Null: it is new. */
  onRemove: (() => void) | null;
};

/** The frame in which a right, a role or a mapping is added, edited or removed. */
export function EditDialog({ onRemove, ...rest }: EditDialogProps) {
  const { t } = useTranslation();
  return (
    <FormDialog
      {...rest}
      action={onRemove === null ? rest.title : t('EDITING.SAVE')}
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
