import { type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import './notice.css';

export type NoticeSeverity = 'high' | 'medium' | 'info' | 'ok';

const icons: Record<NoticeSeverity, IconName> = {
  high: 'alert',
  medium: 'warning',
  info: 'info',
  ok: 'check-circle',
};

type NoticeProps = {
  severity: NoticeSeverity;
  /** The severity as a word for screen readers, for a text that does not show the severity itself. */
  severityLabel?: string;
  title?: string;
  children?: ReactNode;
  /** Whether the notice has the full width, as the first thing on a page. */
  banner?: boolean;
  /** Left out for a notice that was there when the page opened. */
  role?: 'alert' | 'status';
  close?: { label: string; onClose: () => void };
  /** The label of a button that unfolds the notice on a phone, where it is one line. */
  unfold?: string;
};

/** A message about a part of the page; with an icon, never by colour alone. */
export function Notice({
  severity,
  severityLabel,
  title,
  children,
  banner = false,
  role,
  close,
  unfold,
}: NoticeProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className={`notice tone-${severity}${banner ? ' notice-banner' : ''}`} role={role}>
      <Icon name={icons[severity]} />
      <div className={unfold === undefined || open ? 'notice-text' : 'notice-text notice-folded'}>
        {severityLabel === undefined ? null : <span className="visually-hidden">{severityLabel} </span>}
        {title === undefined ? null : <strong>{title} </strong>}
        {children}
      </div>
      {unfold === undefined ? null : (
        <IconButton
          icon="chevron-down"
          label={unfold}
          small
          className="notice-unfold"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      )}
      {close === undefined ? null : (
        <IconButton icon="close" label={close.label} small onClick={close.onClose} />
      )}
    </div>
  );
}

/** Shows what failed, and screen readers read it at once; shows nothing without content. */
export function Problem({ children }: { children: ReactNode }) {
  if (children === undefined || children === null) return null;
  return (
    <Notice severity="high" role="alert">
      {children}
    </Notice>
  );
}
