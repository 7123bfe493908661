import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession, useSessionHandle } from '../platform/contexts.tsx';
import type { Readable } from '../platform/store.ts';
import { useStore } from '../platform/use-store.ts';
import { Button } from '../ui/button.tsx';
import { AboveAll } from './above-all.tsx';
import { Page } from './pages.tsx';
import { ShellSkeleton } from './shell-skeleton.tsx';

type SessionGateProps = {
  /** Profile, rights and language of who is signed in are known. */
  ready: Readable<boolean>;
  /** The maintenance page covers everything. */
  covered: boolean;
  children: ReactNode;
};

/** Shows the screens to whoever is signed in, once everything is known that decides what they see; else how it stands. */
export function SessionGate({ ready, covered, children }: SessionGateProps) {
  const { status } = useSession();
  const isReady = useStore(ready);
  if (status === 'signed-in' && isReady) return children;
  if (covered) return null;
  if (status === 'starting' || status === 'signed-in') return <ShellSkeleton />;
  return (
    <>
      <AboveAll />
      <main className="page-alone">
        <SessionPage />
      </main>
    </>
  );
}

const signedOutWords = {
  ended: { title: 'PAGES.SIGNED_OUT.ENDED_TITLE', content: 'PAGES.SIGNED_OUT.ENDED_CONTENT' },
  blocked: { title: 'PAGES.SIGNED_OUT.BLOCKED_TITLE', content: 'PAGES.SIGNED_OUT.BLOCKED_CONTENT' },
  erased: { title: 'PAGES.SIGNED_OUT.ERASED_TITLE', content: 'PAGES.SIGNED_OUT.ERASED_CONTENT' },
  'signed-out': { title: 'PAGES.SIGNED_OUT.TITLE', content: 'PAGES.SIGNED_OUT.CONTENT' },
} as const;

function SessionPage() {
  const { t } = useTranslation();
  const state = useSession();
  const { retry, signIn, signOut } = useSessionHandle();
  switch (state.status) {
    case 'unreachable':
      return (
        <Page
          icon="refresh"
          role="alert"
          title={t('PAGES.UNREACHABLE.TITLE')}
          action={
            <Button tone="primary" onClick={retry}>
              {t('COMMON.RETRY')}
            </Button>
          }
        >
          {t('PAGES.UNREACHABLE.CONTENT')}
        </Page>
      );
    case 'sign-out-failed':
      return (
        <Page
          icon="alert"
          role="alert"
          title={t('PAGES.SIGN_OUT_FAILED.TITLE')}
          action={
            <Button tone="primary" onClick={() => void signOut()}>
              {t('COMMON.RETRY')}
            </Button>
          }
        >
          {t('PAGES.SIGN_OUT_FAILED.CONTENT')}
        </Page>
      );
    case 'signed-out':
      return (
        <Page
          icon="lock"
          title={t(signedOutWords[state.reason].title)}
          action={
            <Button tone="primary" onClick={signIn}>
              {t('PAGES.SIGNED_OUT.ACTION')}
            </Button>
          }
        >
          {t(signedOutWords[state.reason].content)}
        </Page>
      );
    case 'signing-out':
    case 'starting':
    case 'signed-in':
      return (
        <div className="page" role="status">
          <p>{t('PAGES.SIGNING_OUT')}</p>
        </div>
      );
  }
}
