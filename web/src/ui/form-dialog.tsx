import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog, LeaveButton } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { RestoredWork } from './restored-work.tsx';

/** What a dialog has to know of the form in it. */
type FormState = {
  typed: boolean;
  busy: boolean;
  restored: (() => void) | null;
  conflict: boolean;
  keepMine: () => void;
  takeTheirs: () => void;
  forget: () => void;
};

type FormDialogProps = {
  title: string;
  kind?: 'normal' | 'wide';
  form: FormState;
  /** What is wrong with the whole, in words. */
  problem?: string | null | undefined;
  /** What the button that saves is called; null: the form is only looked at. */
  action: string | null;
  onSubmit: () => void;
  onClose: () => void;
  /** The answers where another person has saved meanwhile. */
  conflict?: { keepMine: string; takeTheirs?: string };
  /** Buttons at the start of the footer. */
  start?: ReactNode;
  /** Buttons before "Cancel". */
  others?: ReactNode;
  /** Left out: there is one. */
  cancel?: boolean;
  children: ReactNode;
};

/** A dialog that is one form: what it was restored from, what is wrong with the whole, its fields, and how it is saved or left. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    kind = 'normal',
    form,
    problem,
    action,
    onSubmit,
    onClose,
    start,
    others,
    cancel = true,
  } = props;
  const { t } = useTranslation();
  return (
    <Dialog
      open
      kind={kind}
      title={title}
      closeLabel={t('COMMON.CLOSE')}
      onClose={() => {
        form.forget();
        onClose();
      }}
      busy={form.busy}
      {...(action === null ? {} : { onSubmit, typed: form.typed })}
      footer={
        action === null && start == null && others == null && !cancel ? undefined : (
          <>
            {start == null ? null : <span className="dialog-foot-start">{start}</span>}
            {others}
            {cancel ? <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton> : null}
            {action === null ? null : <SaveButtons form={form} action={action} conflict={props.conflict} />}
          </>
        )
      }
    >
      <RestoredWork onDiscard={form.restored} />
      {problem == null ? null : (
        <Notice severity="high" role="alert">
          {problem}
        </Notice>
      )}
      {props.children}
    </Dialog>
  );
}

type SaveButtonsProps = { form: FormState; action: string; conflict: FormDialogProps['conflict'] };

function SaveButtons({ form, action, conflict }: SaveButtonsProps) {
  if (!form.conflict || conflict === undefined)
    return (
      <Button key="save" tone="primary" type="submit" busy={form.busy}>
        {action}
      </Button>
    );
  return (
    <>
      {conflict.takeTheirs === undefined ? null : (
        <Button onClick={form.takeTheirs}>{conflict.takeTheirs}</Button>
      )}
      {/* Its own element: the one that saves, in the same place, would be pressed by the same click. */}
      <Button key="keep" tone="danger-primary" onClick={form.keepMine}>
        {conflict.keepMine}
      </Button>
    </>
  );
}
