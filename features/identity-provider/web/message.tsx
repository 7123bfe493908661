import { type ReactNode, useEffect, useRef } from 'react';
import './form.css';

type MessageProps = { title: string; children: ReactNode; action?: ReactNode };

/** Replaces a form with one message; its heading takes the focus, and so is announced. */
export function Message({ title, children, action }: MessageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div className="entry-prose stack muted prose">{children}</div>
      {action}
    </>
  );
}
