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
  /** The accessible name of the button and of the panel. */
  label: string;
  /** The content of the button. */
  button: ReactNode;
  buttonClassName?: string;
  /** A class of the panel in addition to the usual one. */
  className?: string;
  align?: 'start' | 'end';
  disabled?: boolean;
  /** Connects the button to the label, hint and error of a field; the button is then a combobox with that label. */
  control?: ComponentProps<'button'>;
  /** Whether the button shows a name that people gave, such as a person or a label; recorded steps leave it out. */
  isPrivate?: boolean;
  onClose?: () => void;
  /** Draws the content of the open panel; `close` closes the panel and returns the focus to the button. */
  children: (close: () => void) => ReactNode;
};

/**
 * A button that opens a small panel with its own fields, for more than a menu can do. Escape and a press outside
 * close the panel. The focus goes to the element with `data-autofocus`.
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
          // Renders the content before the panel is shown, so that the browser focuses it at once and the next
          // typed letter goes there.
          flushSync(() => setOpen(true));
          panel.current?.querySelector('[data-autofocus]')?.setAttribute('autofocus', '');
        }}
        onToggle={(event: ToggleEvent<HTMLDivElement>) => {
          // The event of another popover inside this one, such as a calendar.
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

function Content({ render, close }: { render: PopoverProps['children']; close: () => void }) {
  return render(close);
}
