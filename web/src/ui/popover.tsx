import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { placeBelow } from './menu.tsx';
import './menu.css';
import './option-list.css';

type PopoverProps = {
  /** The name of the button, and of what it opens. */
  label: string;
  /** The content of the button. */
  button: ReactNode;
  buttonClassName?: string;
  /** In addition to the class of what it opens. */
  className?: string;
  align?: 'start' | 'end';
  disabled?: boolean;
  /** What connects the button to the label, hint and error of a field: it is a combobox then, named by the label. */
  control?: ComponentProps<'button'>;
  /** The button shows what people have named: a person, a label. It is left out of recorded steps. */
  isPrivate?: boolean;
  onClose?: () => void;
  /** What it opens, drawn while it is open; `close` closes it and gives the focus back to the button. */
  children: (close: () => void) => ReactNode;
};

/**
 * A button that opens a small panel with fields of its own, for what a menu is too little. Escape and a press
 * outside close it. The focus goes to the element with `data-autofocus`.
 */
export function Popover(props: PopoverProps) {
  const {
    label,
    button,
    buttonClassName = 'button',
    className = '',
    align = 'start',
    control,
    children,
  } = props;
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => {
    panel.current?.hidePopover();
    opener.current?.focus();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={buttonClassName}
        {...(control === undefined ? { 'aria-label': label } : { role: 'combobox', ...control })}
        onKeyDown={(event: KeyboardEvent) => {
          if (control === undefined || event.key !== 'ArrowDown') return;
          event.preventDefault();
          panel.current?.showPopover();
        }}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={id}
        aria-disabled={props.disabled ?? false}
        popoverTarget={props.disabled === true ? undefined : id}
        data-private={props.isPrivate === true ? '' : undefined}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={`menu popover ${className}`.trimEnd()}
        onBeforeToggle={(event: ToggleEvent<HTMLDivElement>) => {
          if (event.newState !== 'open') return;
          // Its content is there before it is shown, and the browser then focuses it at once: what is typed next
          // goes there.
          flushSync(() => setOpen(true));
          panel.current?.querySelector('[data-autofocus]')?.setAttribute('autofocus', '');
        }}
        onToggle={(event: ToggleEvent<HTMLDivElement>) => {
          // Of another one inside it, such as a calendar.
          if (event.target !== event.currentTarget) return;
          if (event.newState !== 'open') {
            setOpen(false);
            props.onClose?.();
            return;
          }
          if (panel.current === null || opener.current === null) return;
          placeBelow(panel.current, opener.current, align);
        }}
      >
        {open ? <Content render={children} close={close} /> : null}
      </div>
    </>
  );
}

type ContentProps = { render: PopoverProps['children']; close: () => void };

function Content({ render, close }: ContentProps) {
  return render(close);
}
