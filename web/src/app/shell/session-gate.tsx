import type { SessionEnd } from '#features/session/contract/end.ts';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '../../platform/branding.ts';
import { useCurrentUser, useSession, useSessionHandle, useSignInPlace } from '../../platform/contexts.tsx';
import type { Readable } from '../../platform/state/store.ts';
import { useStore } from '../../platform/state/use-store.ts';
import { createTabMemory } from '../../platform/tabs/tab-memory.ts';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Mark } from '../../ui/mark.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { Skeleton } from '../../ui/states.tsx';
import { AboveAll } from './above-all.tsx';
import { Page } from '../screens/pages.tsx';
import './shell.css';

type SessionGateProps = {
  /** Profile, rights and language of the signed-in person are known. */
  ready: Readable<boolean>;
  /** The maintenance page covers everything. */
  covered: boolean;
  children: ReactNode;
};

/**
 * Shows the screens to a signed-in person once `ready` is true; until then, or without a session, the state
 * of the session.
 */
export function SessionGate({ ready, covered, children }: SessionGateProps) {
  const { status } = useSession();
  const isReady = useStore(ready);
  const isShown = status === 'signed-in' && isReady;
  useReturnPlace(isShown);
  if (isShown)
    return (
      <>
        <OtherPersonNotice />
        {children}
      </>
    );
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

/** Explains why a tab that belonged to another person shows the home screen. */
function OtherPersonNotice() {
  const { t } = useTranslation();
  const { isOtherPerson } = useSessionHandle();
  const user = useCurrentUser();
  const name = user === null ? '' : `${user.firstName} ${user.lastName}`.trim() || user.email;
  useEffect(() => {
    if (!isOtherPerson || name === '') return;
    notify({
      kind: 'info',
      key: 'other-person',
      duration: 0,
      title: t('PAGES.OTHER_PERSON.TITLE'),
      content: t('PAGES.OTHER_PERSON.CONTENT', { name }),
    });
  }, [isOtherPerson, name, t]);
  return null;
}

const signedOutWords: Record<SessionEnd, { title: string; content: string }> = {
  ended: { title: 'PAGES.SIGNED_OUT.ENDED_TITLE', content: 'PAGES.SIGNED_OUT.ENDED_CONTENT' },
  idle: { title: 'PAGES.SIGNED_OUT.ENDED_TITLE', content: 'PAGES.SIGNED_OUT.IDLE_CONTENT' },
  lifetime: { title: 'PAGES.SIGNED_OUT.ENDED_TITLE', content: 'PAGES.SIGNED_OUT.LIFETIME_CONTENT' },
  elsewhere: { title: 'PAGES.SIGNED_OUT.TITLE', content: 'PAGES.SIGNED_OUT.ELSEWHERE_CONTENT' },
  password: { title: 'PAGES.SIGNED_OUT.ENDED_TITLE', content: 'PAGES.SIGNED_OUT.PASSWORD_CONTENT' },
  provider: { title: 'PAGES.SIGNED_OUT.TITLE', content: 'PAGES.SIGNED_OUT.PROVIDER_CONTENT' },
  operator: { title: 'PAGES.SIGNED_OUT.ENDED_TITLE', content: 'PAGES.SIGNED_OUT.OPERATOR_CONTENT' },
  blocked: { title: 'PAGES.SIGNED_OUT.BLOCKED_TITLE', content: 'PAGES.SIGNED_OUT.BLOCKED_CONTENT' },
  erased: { title: 'PAGES.SIGNED_OUT.ERASED_TITLE', content: 'PAGES.SIGNED_OUT.ERASED_CONTENT' },
  'signed-out': { title: 'PAGES.SIGNED_OUT.TITLE', content: 'PAGES.SIGNED_OUT.CONTENT' },
};

function SessionPage() {
  const { t } = useTranslation();
  const state = useSession();
  const { retry, signIn, signOut } = useSessionHandle();
  const { outsideProvider } = useSignInPlace();
  const failed = (icon: IconName, part: string, retryNow: () => void) => (
    <Page
      icon={icon}
      role="alert"
      title={t(`PAGES.${part}.TITLE`)}
      action={
        <Button tone="primary" onClick={retryNow}>
          {t('COMMON.RETRY')}
        </Button>
      }
    >
      {t(`PAGES.${part}.CONTENT`)}
    </Page>
  );
  switch (state.status) {
    case 'unreachable':
      return failed('refresh', 'UNREACHABLE', retry);
    case 'sign-out-failed':
      return failed('alert', 'SIGN_OUT_FAILED', () => void signOut());
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
          {t(signedOutWords[state.reason].content, { provider: outsideProvider ?? '' })}
        </Page>
      );
    case 'signing-out':
    case 'starting':
    case 'signed-in':
      return (
        <div className="page stack gap-4 centers text-center" role="status">
          <p>{t('PAGES.SIGNING_OUT')}</p>
        </div>
      );
  }
}

/** Shown until the session and the rights are known; the same as in index.html. */
function ShellSkeleton() {
  const { t } = useTranslation();
  const { product, mark } = useBranding();
  return (
    <div className="shell" aria-busy="true">
      <AboveAll />
      <div className="shell-top row gap-3 rigid">
        <div className="shell-brand row">
          <Mark src={mark} />
          <span>{product}</span>
        </div>
      </div>
      <div className="shell-body grow">
        <div className="shell-main grow">
          <Skeleton label={t('COMMON.LOADING')} title />
        </div>
      </div>
    </div>
  );
}

const memory = createTabMemory(window);
const key = 'portico.return-top';

/** Restores the scroll position when the screens are shown again after a session had ended. */
function useReturnPlace(shown: boolean): void {
  const top = useRef<number | null>(null);
  top.current ??= readTop();
  useLayoutEffect(() => {
    if (!shown) return undefined;
    const wanted = top.current ?? 0;
    let stop: (() => void) | undefined;
    let isLeft = false;
    if (wanted > 0)
      import('../navigation/scroll-when-long-enough.ts').then(
        ({ scrollWhenLongEnough }) => {
          if (!isLeft) stop = scrollWhenLongEnough(wanted);
        },
        // If the download fails, the screen starts at its top.
        () => {},
      );
    const remember = () => {
      top.current = window.scrollY;
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      isLeft = true;
      stop?.();
      window.removeEventListener('scroll', remember);
      memory.write(key, `${top.current ?? 0} ${here()}`);
    };
  }, [shown]);
}

const here = (): string => window.location.pathname + window.location.search;

/** Reads the scroll position that the previous page of this tab stored before the sign-in; else 0. */
function readTop(): number {
  const left = memory.read(key)?.split(' ') ?? [];
  memory.write(key, null);
  return left[1] === here() ? Number(left[0]) : 0;
}
