import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../platform/contexts.tsx';
import { useStore } from '../../platform/state/use-store.ts';
import { Notice } from '../../ui/notice.tsx';
import { useApp } from '../app-context.tsx';
import { createEditing } from '../navigation/editing.ts';
import { mayUse } from '../../feature.ts';
import { NoAccess, UnknownAccess } from './pages.tsx';
import type { Screen } from '../../feature.ts';

/**
 * Shows a screen to a person who may use it (RIGHT-8). When the right is taken away the screen goes at once,
 * unless a person is editing on it: then it stays until they leave it (RIGHT-6).
 */
export function GuardedScreen({ screen, children }: { screen: Screen; children: ReactNode }) {
  const { t } = useTranslation();
  const allowed = mayUse(screen, useCan());
  const rights = useOwnRights();
  const address = useLocation({ select: (location) => location.pathname });
  const [{ isEditing, watch }] = useState(createEditing);
  const [seen, setSeen] = useState({ address, allowed, lost: false, stays: false });

  if (seen.address !== address || seen.allowed !== allowed) {
    const lost = !allowed && seen.address === address && (seen.allowed || seen.lost);
    setSeen({ address, allowed, lost, stays: lost && (seen.stays || isEditing()) });
  }

  if (!allowed && !seen.stays)
    return rights.status === 'error' ? <UnknownAccess {...rights} /> : <NoAccess lost={seen.lost} />;
  return (
    <div ref={watch} data-width={screen.width}>
      {allowed ? null : (
        <div className="shell-right-lost">
          <Notice severity="medium" role="status" title={t('PAGES.NO_ACCESS.LOST_TITLE')}>
            {t('PAGES.NO_ACCESS.KEPT')}
          </Notice>
        </div>
      )}
      {children}
    </div>
  );
}

/** The rights of the signed-in person, their loading state, and how to load them again. */
function useOwnRights() {
  const { permissions } = useApp();
  const { status, rights } = useStore(permissions.state);
  const [loading, setLoading] = useState(false);
  const reload = () => {
    setLoading(true);
    void permissions.refresh().finally(() => setLoading(false));
  };
  return { status, rights, reload, loading };
}
