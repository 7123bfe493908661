import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './notice.tsx';
import { onePress } from './one-press.ts';

type ConfirmDialogProps = {
  open?: boolean;
  /** The question. */
  title: string;
  /** What happens, and to whom. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  /** Where the page provides no words. */
  closeLabel?: string;
  /** `danger` for what cannot be undone; the focus then starts on the other button. */
  tone?: 'primary' | 'danger';
  busy?: boolean;
  /** It cannot be confirmed yet (its effect is being loaded), or would be refused. */
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
