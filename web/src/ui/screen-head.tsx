import './screen.css';
import { type ReactNode, type Ref, useCallback, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { type MenuAction, MoreMenu } from './menu.tsx';

type ScreenActionsProps = {
  /** The other actions; a narrow window has them in one menu with the label `more`. */
  others: readonly MenuAction[];
  more: string;
  /** The main action; left out: there is none. */
  children?: ReactNode;
};

/** The actions in the head of a screen, the main one last. */
export function ScreenActions({ others, more, children }: ScreenActionsProps) {
  const isNarrow = useNarrow(1000);
  return (
    <div className="screen-actions">
      {isNarrow ? (
        <MoreMenu inHead label={more} items={others} />
      ) : (
        others.map(({ label, icon, disabled, onSelect }) => (
          <Button
            key={label}
            {...(icon === undefined ? {} : { icon })}
            disabled={disabled}
            onClick={onSelect}
          >
            {label}
          </Button>
        ))
      )}
      {children}
    </div>
  );
}

/** Whether the window is at most `width` px wide. */
export function useNarrow(width: number): boolean {
  const query = `(max-width: ${width}.98px)`;
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

type ScreenHeadProps = {
  title: string;
  /** What the screen is for, in one sentence. */
  lead: ReactNode;
  /** Shown next to the title: the state of the thing that the screen is about. */
  beside?: ReactNode;
  /** For code that moves the focus to the heading. */
  heading?: Ref<HTMLHeadingElement> | undefined;
  /** Actions for the whole screen. */
  children?: ReactNode;
};

/** The head of a screen: its title, what it is for, and its actions. */
export function ScreenHead({ title, beside, lead, heading, children }: ScreenHeadProps) {
  return (
    <header className="screen-head">
      <div>
        <div className="screen-title row wrap">
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {beside}
        </div>
        <p className="muted">{lead}</p>
      </div>
      {children}
    </header>
  );
}
