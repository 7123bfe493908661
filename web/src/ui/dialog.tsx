import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from './button.tsx';
import { enterModal } from './modal-stack.ts';
import { Notice } from './notice.tsx';
import './dialog.css';

type DialogProps = {
  open: boolean;
  title: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the one that does it last. */
  footer?: ReactNode;
  /** Given: body and footer are one form. The submit button stands in the footer. */
  onSubmit?: () => void;
  /** Work is under way: it cannot be closed until that is over. */
  busy?: boolean;
  kind?: 'normal' | 'wide' | 'drawer';
  /** Beside the usual class. */
  className?: string;
  /** Receives the element, for whoever has to measure or hide it. */
  element?: RefObject<HTMLDialogElement | null>;
};

/**
 * A native modal dialog. The focus goes to what carries `data-autofocus`, else to the first field, else where the
 * browser puts it, and comes back when it closes. Escape closes; a press beside it only closes a drawer, since a form
 * would lose what was typed.
 */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({
  title,
  closeLabel,
  onClose,
  children,
  footer,
  onSubmit,
  busy = false,
  kind = 'normal',
  className = '',
  element,
}: Omit<DialogProps, 'open'>) {
  const titleId = useId();
  const own = useRef<HTMLDialogElement>(null);
  const dialog = element ?? own;
  const leaving = useRef(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    leaving.current = false;
    element.showModal();
    const leave = enterModal(element);
    const first =
      element.querySelector<HTMLElement>('[data-autofocus]') ??
      element.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea');
    first?.focus();
    // Whoever comes back to a text goes on at its end.
    if (first instanceof HTMLTextAreaElement) first.setSelectionRange(first.value.length, first.value.length);
    return () => {
      leave();
      leaving.current = true;
      // Closing it before it leaves the page lets the browser give the focus back.
      element.close();
    };
  }, [dialog]);

  const content = (
    <>
      <div className="dialog-body">{children}</div>
      {footer === undefined ? null : <div className="dialog-foot">{footer}</div>}
    </>
  );

  return (
    <dialog
      ref={dialog}
      className={`${kind === 'normal' ? 'dialog' : `dialog dialog-${kind}`} ${className}`.trimEnd()}
      aria-labelledby={titleId}
      aria-busy={busy}
      closedby={kind === 'drawer' ? 'any' : 'closerequest'}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!busy) onClose();
      }}
      onClose={(event) => {
        // Browsers close it on a second Escape whatever `cancel` says.
        if (event.target !== event.currentTarget || event.currentTarget.open || leaving.current) return;
        if (busy) event.currentTarget.showModal();
        else onClose();
      }}
    >
      <div className="dialog-head">
        <h2 className="dialog-title" id={titleId}>
          {title}
        </h2>
        <IconButton icon="close" label={closeLabel} small disabled={busy} onClick={onClose} />
      </div>
      {onSubmit === undefined ? (
        content
      ) : (
        <form
          className="dialog-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) onSubmit();
          }}
        >
          {content}
        </form>
      )}
    </dialog>
  );
}

type ConfirmDialogProps = {
  open: boolean;
  /** The question. */
  title: string;
  /** What happens, and to whom. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  closeLabel: string;
  /** `danger` for what cannot be taken back; the focus then starts on the other button. */
  tone?: 'primary' | 'danger';
  busy?: boolean;
  /** It cannot be confirmed: what it would do is being looked up, or it would be refused. */
  hold?: 'loading' | 'refused' | undefined;
  /** What went wrong the last time, in words. */
  error?: string | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks once, in words. */
export function ConfirmDialog({
  open,
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
      open={open}
      title={title}
      closeLabel={closeLabel}
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
            onClick={onConfirm}
            data-autofocus={dangerous ? undefined : ''}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div>{children}</div>
      {error === null ? null : (
        <Notice severity="high" role="alert">
          {error}
        </Notice>
      )}
    </Dialog>
  );
}
