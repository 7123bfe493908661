import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

type EditDialogProps = {
  title: string;
  kind?: 'normal' | 'wide';
  busy: boolean;
  /** What is wrong with the whole. */
  problem: string | null;
  /** Null: it is only looked at. */
  onSave: (() => void) | null;
  /** Null: it cannot be removed. */
  onRemove: (() => void) | null;
  onClose: () => void;
  /** Left out: yes. */
  withCancel?: boolean;
  /** More buttons. */
  others?: ReactNode;
  children: ReactNode;
};

/** The frame in which a right, a role or a mapping is added, edited or removed. */
export function EditDialog(props: EditDialogProps) {
  const { title, kind = 'normal', busy, problem, onSave, onRemove, onClose } = props;
  const { withCancel = true, others, children } = props;
  const { t } = useTranslation();
  return (
    <Dialog
      open
      kind={kind}
      title={title}
      closeLabel={t('COMMON.CLOSE')}
      busy={busy}
      onClose={onClose}
      {...(onSave === null ? {} : { onSubmit: onSave })}
      footer={
        <>
          <span className="dialog-foot-start">
            {onRemove === null ? null : (
              <Button tone="danger" icon="trash" onClick={onRemove}>
                {t('ROLES_AND_RIGHTS.REMOVE')}
              </Button>
            )}
          </span>
          {others}
          {withCancel ? (
            <Button tone="quiet" onClick={onClose}>
              {t('COMMON.CANCEL')}
            </Button>
          ) : null}
          {onSave === null ? null : (
            <Button tone="primary" type="submit" busy={busy}>
              {t('ROLES_AND_RIGHTS.SAVE')}
            </Button>
          )}
        </>
      }
    >
      {problem === null ? null : (
        <Notice severity="high" role="alert">
          {problem}
        </Notice>
      )}
      {children}
    </Dialog>
  );
}
