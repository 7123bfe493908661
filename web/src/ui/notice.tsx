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
  /** The severity as a word, spoken before the text where the text alone does not show it. */
  severityLabel?: string;
  title?: string;
  children?: ReactNode;
  /** The full width, as the first thing on a page. */
  banner?: boolean;
  /** Left out for a notice that was there when the page opened. */
  role?: 'alert' | 'status';
  close?: { label: string; onClose: () => void };
  /** On a phone it is one line, which the button of this label unfolds. */
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

/** What failed, read aloud at once; nothing where it is empty. */
export function Problem({ children }: { children: ReactNode }) {
  if (children === undefined || children === null) return null;
  return (
    <Notice severity="high" role="alert">
      {children}
    </Notice>
  );
}
