import type { ReactNode, Ref } from 'react';
import './screen.css';

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
