import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { MenuAction } from './menu.tsx';
import { MoreMenu } from './more-menu.tsx';
import { useNarrow } from './narrow.ts';

type ScreenActionsProps = {
  /** Those that a narrow window offers in one menu, which is called `more`. */
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
