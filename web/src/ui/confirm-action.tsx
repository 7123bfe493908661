import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from './notifications/notifications.ts';
import { Button } from './button.tsx';
import { Dialog, onePress } from './dialog.tsx';
import { Problem } from './notice.tsx';

type ConfirmActionProps<Result> = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'children' | 'confirmLabel' | 'tone' | 'hold'
> & {
  cancelLabel?: string;
  /** The action. The dialog is busy until it has settled, and cannot be closed until then. */
  action: () => Promise<Result>;
  /** The text for an error of `action`. */
  problem: (error: unknown) => string | undefined;
  /** Runs after the action and has to close the dialog; left out: `onCancel` runs. */
  onDone?: (result: Result) => void;
  /** The title of the notification that follows; left out: `onDone` notifies. */
  done?: string;
  onCancel: () => void;
};

/** Asks for confirmation; then runs the action, and shows why it failed. */
export function ConfirmAction<Result>({
  cancelLabel,
  action,
  problem,
  done,
  onCancel,
  onDone = onCancel,
  ...question
}: ConfirmActionProps<Result>) {
  const { t } = useTranslation();
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });

  async function run(): Promise<void> {
    setState({ busy: true, error: null });
    try {
      const result = await action();
      onDone(result);
      if (done !== undefined) notify({ kind: 'success', title: done });
    } catch (error) {
      setState({ busy: false, error: problem(error) ?? null });
    }
  }

  return (
    <ConfirmDialog
      {...question}
      cancelLabel={cancelLabel ?? t('COMMON.CANCEL')}
      {...state}
      onConfirm={() => void run()}
      onCancel={onCancel}
    />
  );
}

type ConfirmDialogProps = {
  open?: boolean;
  /** The question. */
  title: string;
  /** What happens, and to whom. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  /** The label of the button that closes, for a page that does not provide `UsualWords`. */
  closeLabel?: string;
  /** `danger` for what cannot be undone; the focus then starts on the other button. */
  tone?: 'primary' | 'danger';
  busy?: boolean;
  /** Why the action cannot be confirmed: its effect is still being loaded, or it would be refused. */
  hold?: 'loading' | 'refused' | undefined;
  /** Why the last try failed, in words. */
  error?: string | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks for confirmation. */
export function ConfirmDialog({
  open = true,
  title,
  children,
  confirmLabel,
  cancelLabel,
  closeLabel,
  tone = 'primary',
  busy = false,
  hold,
  error = null,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const dangerous = tone === 'danger';
  return (
    <Dialog
      closeLabel={closeLabel}
      open={open}
      title={title}
      busy={busy}
      onClose={onCancel}
      footer={
        <>
          <Button tone="quiet" disabled={busy} onClick={onCancel} data-autofocus={dangerous ? '' : undefined}>
            {cancelLabel}
          </Button>
          <Button
            tone={dangerous ? 'danger-primary' : 'primary'}
            busy={busy || hold === 'loading'}
            disabled={hold === 'refused'}
            onClick={(event) => onePress(event.currentTarget, onConfirm)}
            data-autofocus={dangerous ? undefined : ''}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div>{children}</div>
      <Problem>{error}</Problem>
    </Dialog>
  );
}
