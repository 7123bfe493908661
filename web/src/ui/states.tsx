import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import pictures from './empty-pictures.svg?url';
import { Icon, type IconName } from './icon.tsx';
import { Notice } from './notice.tsx';
import './states.css';

/** What is drawn for empty places; the drawings take their colours from the page. */
export type EmptyPicture = Extract<
  IconName,
  | 'bug'
  | 'check-circle'
  | 'external'
  | 'flag'
  | 'home'
  | 'image'
  | 'inbox'
  | 'key'
  | 'list'
  | 'monitor'
  | 'people'
  | 'search'
  | 'trash'
  | 'wrench'
>;

type EmptyStateProps = {
  /** The name of the picture in `empty-pictures.svg`. */
  icon: EmptyPicture;
  /** What this place is for. */
  title: string;
  /** One line that says how to fill the place. */
  children: ReactNode;
  /** One action. */
  action?: ReactNode;
};

/** Shows that a list or screen is empty, and what to do. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  // The build knows no base path, so it is read from the page, as `platform/base.ts` does.
  const base = document.documentElement.dataset['porticoBase'] ?? '';
  return (
    <div className="state">
      <svg className="muted" width={120} height={80} aria-hidden="true">
        <use href={`${base}${pictures}#${icon}`} />
      </svg>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

type Retry = { label: string; onRetry: () => void; busy?: boolean };

type ErrorStateProps = {
  /** What happened. */
  title: string;
  /** What is safe, and what to do. */
  children: ReactNode;
  retry?: Retry | undefined;
  /** For the operator who investigates the error: a code, a request id. */
  detail?: string | undefined;
};

/** Something could not be shown: what happened, what is safe, and a way to retry. */
export function ErrorState({ title, children, retry, detail }: ErrorStateProps) {
  return (
    <div className="state" role="alert">
      <span className="state-icon grid tone-high">
        <Icon name="alert" size={22} />
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {retry === undefined ? null : (
        <Button icon="refresh" busy={retry.busy ?? false} onClick={retry.onRetry}>
          {retry.label}
        </Button>
      )}
      {detail === undefined ? null : <p className="small">{detail}</p>}
    </div>
  );
}

/** A one-line error for a part of a screen: what is missing, and a button that retries. */
export function RetryNotice({ retry, children }: { retry: Retry; children: ReactNode }) {
  return (
    <Notice severity="medium" role="alert">
      {children}{' '}
      <Button small busy={retry.busy ?? false} onClick={retry.onRetry}>
        {retry.label}
      </Button>
    </Notice>
  );
}

type SkeletonProps = {
  /** What is being loaded, for a screen reader. */
  label: string;
  /** The shape of the content: `text` for lines, `rows` for a list; `title` adds a title bar above. */
  kind?: 'text' | 'rows';
  count?: number;
  title?: boolean;
};

/** Reserves the space of what is being loaded, in its shape, so that nothing moves when it comes. */
export function Skeleton({ label, kind = 'text', count = 3, title = false }: SkeletonProps) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{label}</span>
      {title ? <div className="skeleton-bar skeleton-title" /> : null}
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={kind === 'rows' ? 'skeleton-bar skeleton-row' : 'skeleton-bar'} />
      ))}
    </div>
  );
}
