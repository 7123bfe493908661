import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { DetailFrame } from '../ui/detail-frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { useApp } from './app-context.tsx';
import '../ui/screen.css';

type DetailPageProps = ComponentProps<typeof DetailFrame> & {
  /** The address of the screen above this page; `upTitle` is its title. */
  up: string;
  upTitle: string;
  /**
   * The name of the thing, or what it is: in the title of the window and on phones in the top bar; also the heading
   * for screen readers while the thing is missing or could not be loaded.
   */
  heading: string;
  className?: string;
};

/** The page of one thing below a list: the link to the list, and the thing. */
export function DetailPage({ up, upTitle, heading, className = '', ...frame }: DetailPageProps) {
  const { openedName } = useApp();
  useEffect(() => {
    openedName.set(heading);
    return () => openedName.set('');
  }, [openedName, heading]);
  const isUnknown = frame.state === 'missing' || frame.state === 'failed';
  return (
    <div className={`stack gap-4 ${className}`.trimEnd()}>
      <UpLink to={up}>{upTitle}</UpLink>
      {isUnknown ? <h1 className="visually-hidden">{heading}</h1> : null}
      <DetailFrame title {...frame} />
    </div>
  );
}

type UpLinkProps = { to: string; params?: Record<string, string>; children: ReactNode };

/** The link to the screen above this one. */
export function UpLink({ children, ...link }: UpLinkProps) {
  return (
    <Link {...link} className="screen-up">
      <Icon name="chevron-left" size={14} />
      {children}
    </Link>
  );
}
