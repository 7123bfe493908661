import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemError } from '../../platform/calls/problem-error.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { useApp } from '../app-context.tsx';
import { LazyScreenError } from './lazy-screen.tsx';
import '../shell/shell.css';

type PageProps = {
  icon: IconName;
  title: string;
  children: string;
  action?: React.ReactNode;
  role?: 'alert';
};

/** A page with one message. */
export function Page({ icon, title, children, action, role }: PageProps) {
  return (
    <div className="page stack gap-4 centers text-center" role={role}>
      <span className={`page-icon round centered ${role === 'alert' ? 'tone-high' : 'tone-accent'}`}>
        <Icon name={icon} size={28} />
      </span>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{children}</p>
      {action}
    </div>
  );
}

function Reload() {
  const { t } = useTranslation();
  return (
    <Button tone="primary" icon="refresh" onClick={() => window.location.reload()}>
      {t('COMMON.RELOAD')}
    </Button>
  );
}

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page
      icon="search"
      title={t('PAGES.NOT_FOUND.TITLE')}
      action={
        <Link className="button button-primary" to="/">
          {t('PAGES.NOT_FOUND.ACTION')}
        </Link>
      }
    >
      {t('PAGES.NOT_FOUND.CONTENT')}
    </Page>
  );
}

/** @param lost whether the screen was open when the right was withdrawn */
export function NoAccess({ lost }: { lost: boolean }) {
  const { t } = useTranslation();
  return (
    <Page
      icon="lock"
      title={lost ? t('PAGES.NO_ACCESS.LOST_TITLE') : t('PAGES.NO_ACCESS.TITLE')}
      action={
        <Link className="button" to="/">
          {t('PAGES.NOT_FOUND.ACTION')}
        </Link>
      }
    >
      {t('PAGES.NO_ACCESS.CONTENT')}
    </Page>
  );
}

/** Shown when the rights could not be loaded, so that nothing is known about access to the screen. */
export function UnknownAccess({ reload, loading }: { reload: () => void; loading: boolean }) {
  const { t } = useTranslation();
  return (
    <Page
      icon="alert"
      role="alert"
      title={t('PAGES.OUTDATED.TITLE')}
      action={
        <Button tone="primary" icon="refresh" busy={loading} onClick={reload}>
          {t('COMMON.RETRY')}
        </Button>
      }
    >
      {t('HOME.RIGHTS.FAILED')}
    </Page>
  );
}

const retryMs = 15_000;

/** Downloads a failed screen again as soon as there is a connection, and then calls `onLoaded`. */
function useRetry(error: unknown, onLoaded: () => void): void {
  const { live } = useApp();
  const loaded = useEffectEvent(onLoaded);
  useEffect(() => {
    if (!(error instanceof LazyScreenError)) return undefined;
    const retry = () => void error.retry().then(loaded, () => undefined);
    const timer = setInterval(retry, retryMs);
    const stop = live.connected.subscribe(retry);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      stop();
      window.removeEventListener('online', retry);
    };
  }, [error, live]);
}

/**
 * Shown when a screen has thrown: what happened, what is safe, and how to go on. When a screen could not be
 * downloaded, this page retries the download and is replaced by the screen.
 */
export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation();
  const isNotLoaded = error instanceof LazyScreenError;
  useRetry(error, reset);
  const reference = error instanceof ProblemError ? error.requestId : undefined;
  return (
    <Page
      icon="alert"
      role="alert"
      title={isNotLoaded ? t('PAGES.OUTDATED.TITLE') : t('PAGES.ERROR.TITLE')}
      action={
        <>
          <Reload />
          {reference === undefined ? null : <small>{t('COMMON.REFERENCE', { id: reference })}</small>}
        </>
      }
    >
      {isNotLoaded ? t('PAGES.OUTDATED.CONTENT') : t('PAGES.ERROR.CONTENT')}
    </Page>
  );
}
