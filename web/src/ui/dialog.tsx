import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from './button.tsx';
import { type Loss, type UsualWords, UsualWordsContext } from './usual-words.ts';
import { enterModal } from './modal-stack.ts';
import './dialog.css';

type DialogHandle = {
  /**
   * Closes the dialog, or does something else instead; asks first if something would be lost, and does
   * nothing while busy.
   */
  leave(instead?: () => void): void;
  /** Marks that closing would lose something inside; returns a function that removes the mark. */
  hold(loss: Loss): () => void;
  busy: boolean;
};

const HandleContext = createContext<DialogHandle | null>(null);

/** For content outside the form of a dialog: while `loss` is not null, closing the dialog asks first. */
export function useLossInDialog(loss: Loss | null): void {
  const hold = useContext(HandleContext)?.hold;
  useEffect(() => (loss === null ? undefined : hold?.(loss)), [hold, loss]);
}

type LeaveButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'disabled'> & {
  /** Runs instead of closing the dialog, for a step that loses what is typed as well. */
  onLeave?: (() => void) | undefined;
};

/** A button that closes its dialog as Escape does. */
export function LeaveButton({ onLeave, ...rest }: LeaveButtonProps) {
  const handle = useContext(HandleContext);
  return <Button {...rest} disabled={handle?.busy === true} onClick={() => handle?.leave(onLeave)} />;
}

type DialogProps = {
  open?: boolean;
  title: string;
  /** The label of the button that closes, for a page that does not provide `UsualWords`. */
  closeLabel?: string | undefined;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the main one last. One that closes the dialog is a `LeaveButton`. */
  footer?: ReactNode;
  /** Whether work is under way: the dialog cannot be closed until it is done. */
  busy?: boolean;
  kind?: 'normal' | 'wide' | 'drawer' | 'palette';
  /** A class in addition to the usual one. */
  className?: string;
  /** Receives the element, for code that has to measure or hide it. */
  element?: RefObject<HTMLDialogElement | null>;
} & (
  | { onSubmit?: never; typed?: boolean }
  | {
      /** Body and footer are one form. The submit button is in the footer. */
      onSubmit: () => void;
      /** Whether closing would lose something typed or chosen; each form has to declare it. */
      typed: boolean;
    }
);

/**
 * A native modal dialog. The focus goes to the element with `data-autofocus`, else to the first field, else
 * where the browser puts it, and returns when the dialog closes. Escape, the cross, each `LeaveButton` and the
 * browser's "back" close the dialog; it asks first, inside the dialog, if something would be lost. A press outside
 * closes only a drawer and the command palette.
 */
export function Dialog({ open = true, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

const fields = 'input:not([type=hidden]), select, textarea, .date-input-part';

function OpenDialog({
  title,
  closeLabel,
  onClose,
  children,
  footer,
  onSubmit,
  typed = false,
  busy = false,
  kind = 'normal',
  className = '',
  element,
}: Omit<DialogProps, 'open'>) {
  const titleId = useId();
  const own = useRef<HTMLDialogElement>(null);
  const dialog = element ?? own;
  const leaving = useRef(false);
  const lastField = useRef<HTMLElement>(null);
  const words = useContext(UsualWordsContext);
  const [inside, setInside] = useState<readonly { loss: Loss }[]>([]);
  const [asked, setAsked] = useState<{ loss: Loss; leave: () => void } | null>(null);
  const loss = typed ? 'typed' : (inside.at(-1)?.loss ?? null);

  const hold = useCallback((what: Loss) => {
    const held = { loss: what };
    setInside((now) => [...now, held]);
    return () => setInside((now) => now.filter((other) => other !== held));
  }, []);

  function leave(instead: () => void = onClose): void {
    if (busy) return;
    if (loss === null || words === null) instead();
    else setAsked({ loss, leave: instead });
  }

  function stay(): void {
    // Rendered at once, since a field that is still inert cannot take the focus.
    flushSync(() => setAsked(null));
    lastField.current?.focus();
  }

  const stateNow = useEffectEvent(() => (busy ? 'busy' : loss === null ? 'free' : 'held'));
  const leaveNow = useEffectEvent(leave);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    leaving.current = false;
    element.showModal();
    // A link inside the dialog must not leave the page during a submission.
    const keepIn = (event: Event) => {
      const link = event.target instanceof Element && event.target.closest('a[href]') !== null;
      if (link && stateNow() === 'busy') event.preventDefault();
    };
    const rememberField = ({ target }: Event) => {
      // Fields of a nested dialog do not count.
      const isField = target instanceof HTMLElement && target.matches(fields);
      if (isField && target.closest('dialog') === element) lastField.current = target;
    };
    element.addEventListener('click', keepIn, true);
    element.addEventListener('focusin', rememberField);
    const exit = enterModal({ element, state: () => stateNow(), leave: (instead) => leaveNow(instead) });
    const first =
      element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector<HTMLElement>(fields);
    first?.focus();
    // In a field that already has a text the cursor starts at the end.
    if (first instanceof HTMLTextAreaElement) first.setSelectionRange(first.value.length, first.value.length);
    return () => {
      exit();
      element.removeEventListener('click', keepIn, true);
      element.removeEventListener('focusin', rememberField);
      leaving.current = true;
      // Closed before the element is removed, so that the browser returns the focus.
      element.close();
    };
  }, [dialog]);

  const content = (
    <>
      <div className="dialog-body" inert={asked !== null}>
        {children}
      </div>
      {footer === undefined ? null : (
        <div className="dialog-foot row wrap" hidden={asked !== null}>
          {footer}
        </div>
      )}
    </>
  );

  return (
    <dialog
      ref={dialog}
      className={`${kind === 'normal' ? 'dialog' : `dialog dialog-${kind}`} ${className}`.trimEnd()}
      aria-labelledby={titleId}
      aria-busy={busy}
      closedby={kind === 'drawer' || kind === 'palette' ? 'any' : 'closerequest'}
      onCancel={(event) => {
        // A `cancel` that cannot be prevented is followed by `close`, which is handled.
        if (event.target !== event.currentTarget || !event.cancelable) return;
        event.preventDefault();
        if (asked === null) leave();
        else stay();
      }}
      onClose={(event) => {
        // Browsers close it on a second Escape even if `cancel` was prevented.
        if (event.target !== event.currentTarget || event.currentTarget.open || leaving.current) return;
        if (busy || loss !== null) event.currentTarget.showModal();
        if (asked === null) leave();
        else stay();
      }}
    >
      <div className="dialog-head">
        <h2 className="dialog-title" id={titleId} dir="auto">
          {title}
        </h2>
        <IconButton
          icon="close"
          label={closeLabel ?? words?.close ?? ''}
          small
          disabled={busy}
          inert={asked !== null}
          onClick={() => leave()}
        />
      </div>
      <HandleContext value={{ leave, hold, busy }}>
        {onSubmit === undefined ? (
          content
        ) : (
          <form
            className="dialog-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!busy) onePress(event.currentTarget, onSubmit);
            }}
          >
            {content}
          </form>
        )}
      </HandleContext>
      {asked === null || words === null ? null : (
        <LossQuestion
          loss={asked.loss}
          texts={words.loss}
          onStay={stay}
          onLeave={() => {
            setAsked(null);
            asked.leave();
          }}
        />
      )}
    </dialog>
  );
}

type LossQuestionProps = { loss: Loss; texts: UsualWords['loss']; onStay: () => void; onLeave: () => void };

/** The question that replaces the buttons until it is answered; the answer that loses nothing has the focus. */
function LossQuestion({ loss, texts, onStay, onLeave }: LossQuestionProps) {
  const id = useId();
  const safe = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => safe.current?.focus(), []);
  return (
    <div className="dialog-question row wrap" role="alertdialog" aria-labelledby={id}>
      <strong id={id}>{texts(loss, 'question')}</strong>
      <div className="dialog-question-buttons row wrap">
        <Button tone="danger" onClick={onLeave}>
          {texts(loss, 'leave')}
        </Button>
        <Button ref={safe} tone="primary" onClick={onStay}>
          {texts(loss, 'stay')}
        </Button>
      </div>
    </div>
  );
}

let pressed: object | null = null;

/**
 * Lets one press through. Until the work that it starts is rendered as busy, a second press may come: a
 * double click on a busy machine, or Enter pressed twice. That press does nothing.
 *
 * @param place what is pressed: the button or the form
 */
export function onePress(place: object, run: () => void): void {
  if (pressed === place) return;
  pressed = place;
  // The query library reports what has started by a timer of its own, which runs before this one.
  setTimeout(() => (pressed = null));
  run();
}
