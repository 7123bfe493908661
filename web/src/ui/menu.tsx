import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { Drawing, Icon, type IconName } from './icon.tsx';
import './menu.css';

export type MenuAction = {
  label: string;
  icon?: IconName;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
};

export type MenuChoice = {
  /** The heading of a group of options, of which one is chosen. */
  label: string;
  /** Whether each option is chosen independently; the menu then stays open. */
  multiple?: boolean;
  /** Whether the options have names that people gave; recorded steps leave these names out. */
  isPrivate?: boolean;
  options: readonly {
    label: string;
    icon?: IconName;
    checked: boolean;
    lang?: string;
    onSelect: () => void;
  }[];
};

type MenuProps = {
  /** Says what the menu is for; names the button unless the content of the button does. */
  label: string;
  /** The content of the button. */
  button: ReactNode;
  buttonClassName?: string;
  /** Shown above the entries: to whom or what the menu belongs. */
  head?: ReactNode;
  items: readonly (MenuAction | MenuChoice)[];
  align?: 'start' | 'end';
  /** Whether the button shows a name that people gave; recorded steps leave it out. */
  isPrivate?: boolean;
};

/**
 * A button that opens a menu (WAI-ARIA menu button): arrows, Home and End move, a letter jumps, Escape and
 * Tab close; the focus goes back to the button.
 */
export function Menu(props: MenuProps) {
  const { label, button, buttonClassName = 'button', head, items, align = 'end', isPrivate = false } = props;
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];

  function move(event: KeyboardEvent): void {
    const all = entries();
    const at = all.findIndex((entry) => entry === document.activeElement);
    const step = (by: number) => all[(at + by + all.length) % all.length];
    let target: HTMLElement | undefined;
    if (event.key === 'ArrowDown') target = at < 0 ? all[0] : step(1);
    else if (event.key === 'ArrowUp') target = at < 0 ? all.at(-1) : step(-1);
    else if (event.key === 'Home') target = all[0];
    else if (event.key === 'End') target = all.at(-1);
    else if (event.key === 'Tab') {
      menu.current?.hidePopover();
      return;
    } else if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLocaleLowerCase();
      const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      target = after.find((entry) => entry.textContent.trim().toLocaleLowerCase().startsWith(letter));
    } else return;
    event.preventDefault();
    target?.focus();
  }

  function choose(act: () => void): void {
    menu.current?.hidePopover();
    opener.current?.focus();
    act();
  }

  return (
    <>
      <button
        ref={opener}
        type="button"
        className={buttonClassName}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        popoverTarget={id}
        data-private={isPrivate ? '' : undefined}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          menu.current?.showPopover();
        }}
      >
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu"
        onToggle={(event: ToggleEvent<HTMLDivElement>) => {
          const shown = event.newState === 'open';
          setOpen(shown);
          if (!shown || menu.current === null || opener.current === null) return;
          placeBelow(menu.current, opener.current, align);
          entries()[0]?.focus();
        }}
      >
        {head === undefined ? null : <div className="menu-head">{head}</div>}
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={move}>
          {items.map((item, index) => (
            <Fragment key={item.label}>
              {index > 0 && (isChoice(item) || isChoice(items[index - 1])) ? (
                <hr className="menu-line" />
              ) : null}
              {isChoice(item) ? (
                <Choice choice={item} choose={choose} />
              ) : (
                <Action action={item} choose={choose} />
              )}
            </Fragment>
          ))}
        </div>
      </div>
    </>
  );
}

function isChoice(item: MenuAction | MenuChoice | undefined): item is MenuChoice {
  return item !== undefined && 'options' in item;
}

type Choose = (act: () => void) => void;

function Action({ action, choose }: { action: MenuAction; choose: Choose }) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={action.disabled ?? false}
      className={action.danger === true ? 'menu-item menu-item-danger' : 'menu-item'}
      onClick={() => {
        if (action.disabled !== true) choose(action.onSelect);
      }}
    >
      {action.icon === undefined ? null : <Icon name={action.icon} />}
      {action.label}
    </button>
  );
}

function Choice({ choice, choose }: { choice: MenuChoice; choose: Choose }) {
  return (
    <div role="group" aria-label={choice.label} data-private={choice.isPrivate === true ? '' : undefined}>
      <span className="menu-group-label muted small strong" aria-hidden="true">
        {choice.label}
      </span>
      {choice.options.map((option) => (
        <button
          key={option.label}
          type="button"
          role={choice.multiple === true ? 'menuitemcheckbox' : 'menuitemradio'}
          aria-checked={option.checked}
          lang={option.lang}
          tabIndex={-1}
          className="menu-item"
          onClick={() => (choice.multiple === true ? option.onSelect() : choose(option.onSelect))}
        >
          {option.icon === undefined ? null : <Icon name={option.icon} />}
          {option.label}
          {option.checked ? (
            <span className="end">
              <Icon name="check" />
            </span>
          ) : null}
        </button>
      ))}
    </div>
  );
}

/**
 * Puts an open popover below its button, or above it where there is no room, and inside the window.
 *
 * @param align which edge of the popover is aligned with the same edge of the button
 */
export function placeBelow(popover: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const from = button.getBoundingClientRect();
  const below = from.bottom + 6;
  const fits = below + popover.offsetHeight <= window.innerHeight - 8;
  const top = fits ? below : Math.max(8, from.top - 6 - popover.offsetHeight);
  const left = align === 'end' ? from.right - popover.offsetWidth : from.left;
  popover.style.top = `${top}px`;
  popover.style.left = `${Math.max(8, Math.min(left, window.innerWidth - popover.offsetWidth - 8))}px`;
}

const dots = 'M3.5 8h.01M8 8h.01M12.5 8h.01';

type MoreMenuProps = Omit<MenuProps, 'button' | 'buttonClassName'> & {
  /** Whether the button is as high as the buttons in the head of a screen. */
  inHead?: boolean;
};

/** The menu of the further actions for a row or a screen. */
export function MoreMenu({ inHead = false, ...menu }: MoreMenuProps) {
  return (
    <Menu
      {...menu}
      button={<Drawing path={dots} />}
      buttonClassName={
        inHead ? 'button button-icon more' : 'button button-quiet button-small button-icon more'
      }
    />
  );
}
