import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog, LeaveButton } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { RestoredWork } from './save-bar.tsx';

/** The part of a form's state that the dialog needs. */
type FormState = {
  typed: boolean;
  busy: boolean;
  restored: (() => void) | null;
  conflict: boolean;
  gone: boolean;
  keepMine: () => void;
  takeTheirs: () => void;
  forget: () => void;
};

/** Submitting saves the form, or calls `onSubmit` if given. */
type Submitted =
  | { form: FormState & { save: () => void }; onSubmit?: never }
  | { form: FormState; onSubmit: () => void };

type FormDialogProps = Submitted & {
  title: string;
  kind?: 'normal' | 'wide';
  /** The problem of the whole form, in words. */
  problem?: string | null | undefined;
  /** The label of the button that saves; left out: the usual one; null: the form is read-only. */
  action?: string | null;
  /** The tone of the button that saves; left out: the usual tone. */
  tone?: 'primary' | 'danger-primary' | undefined;
  onClose: () => void;
  /** Buttons at the start of the footer. */
  start?: ReactNode;
  /** Buttons before "Cancel". */
  others?: ReactNode;
  /** Whether there is a "Cancel" button; left out: yes. */
  cancel?: boolean;
  children: ReactNode;
};

/**
 * A dialog that is one form: the notice about restored work, the problem of the whole form, the fields, and the
 * buttons that save or leave. After a refusal the first wrong field has the focus.
 */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    kind = 'normal',
    form,
    problem,
    onSubmit = (form as { save: () => void }).save,
    onClose,
    start,
    others,
    cancel = true,
  } = props;
  const { t } = useTranslation();
  const { action = t('EDITING.SAVE') } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [submits, setSubmits] = useState(0);
  useEffect(() => {
    if (submits > 0 && !form.busy) dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [submits, form.busy]);
  function submit(): void {
    setSubmits((count) => count + 1);
    onSubmit();
  }
  return (
    <Dialog
      element={dialog}
      kind={kind}
      title={title}
      onClose={() => {
        form.forget();
        onClose();
      }}
      busy={form.busy}
      {...(action === null ? {} : { onSubmit: submit, typed: form.typed })}
      footer={
        action === null && start == null && others == null && !cancel ? undefined : (
          <>
            {start == null ? null : <span className="dialog-foot-start">{start}</span>}
            {others}
            {cancel ? <LeaveButton tone="quiet">{t('COMMON.CANCEL')}</LeaveButton> : null}
            {action === null ? null : <SaveButtons form={form} action={action} tone={props.tone} />}
          </>
        )
      }
    >
      <RestoredWork onDiscard={form.restored} />
      {form.gone ? (
        <Notice severity="medium" role="alert">
          {t('COMMON.GONE')}
        </Notice>
      ) : problem == null ? null : (
        <Notice severity="high" role="alert">
          {problem}
        </Notice>
      )}
      {props.children}
    </Dialog>
  );
}

type SaveButtonsProps = {
  form: FormState;
  action: string;
  tone: FormDialogProps['tone'];
};

function SaveButtons({ form, action, tone = 'primary' }: SaveButtonsProps) {
  const { t } = useTranslation();
  if (form.gone || !form.conflict)
    return (
      <Button key="save" tone={tone} type="submit" busy={form.busy} disabled={form.gone}>
        {action}
      </Button>
    );
  return (
    <>
      <Button onClick={form.takeTheirs}>{t('EDITING.TAKE_THEIRS')}</Button>
      {/* A separate element: one that replaced it would receive the same click. */}
      <Button key="keep" tone="danger-primary" onClick={form.keepMine}>
        {t('EDITING.KEEP_MINE')}
      </Button>
    </>
  );
}
