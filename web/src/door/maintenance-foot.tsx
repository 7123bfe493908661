import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './maintenance-foot.css';

/** Below the maintenance page: the way in for those who may work meanwhile. */
export function MaintenanceFoot({ signIn, children }: { signIn: string; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <footer className="closed-foot">
      <a href={signIn}>{t('MAINTENANCE.PAGE.SIGN_IN')}</a>
      {children}
    </footer>
  );
}
