import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock, useSession, useSessionHandle } from '#web/platform/contexts.tsx';
import { unsavedWork } from '#web/platform/forms/unsaved-work.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { MaintenancePage } from '../maintenance-page.tsx';
import type { Maintenance } from './maintenance.ts';

/**
 * The maintenance page inside the application (MAINT-3). It covers the screens, which stay as they are below
 * it, so that nothing that was typed is lost; the application shows it while the gate is `page`.
 */
export function MaintenanceScreen({ maintenance }: { maintenance: Maintenance }) {
  const { t } = useTranslation();
  const state = useStore(maintenance.state);
  const mayPass = useStore(maintenance.mayPass);
  const clock = useServerClock();
  const session = useSession();
  const { signIn } = useSessionHandle();
  // Read once: a covered form does not count as unsaved any more.
  const [typed] = useState(() => unsavedWork.get() > 0);
  const place = useRef<HTMLElement>(null);
  const title = t('MAINTENANCE.PAGE.TITLE');

  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);

  // So that a screen reader announces the page.
  useEffect(() => place.current?.querySelector('h1')?.focus({ preventScroll: true }), []);

  return (
    <main ref={place} className="maintenance-screen grid">
      <MaintenancePage notice={state} expectedEnd={state.expectedEnd} clock={clock}>
        {typed ? <p>{t('MAINTENANCE.TYPED')}</p> : null}
        {mayPass ? (
          <Button tone="primary" onClick={maintenance.pass}>
            {t('MAINTENANCE.PASS')}
          </Button>
        ) : null}
        {session.status === 'signed-out' ? (
          <Button onClick={signIn}>{t('MAINTENANCE.PAGE.SIGN_IN')}</Button>
        ) : null}
      </MaintenancePage>
    </main>
  );
}
