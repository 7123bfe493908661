import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './maintenance-foot.css';

/** The foot of the maintenance page. `signIn`: the sign-in for people who may work now; null after maintenance. */
export function MaintenanceFoot({ signIn, children }: { signIn: string | null; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <footer className="closed-foot grid centers gap-2 small text-center">
      {signIn === null ? null : <a href={signIn}>{t('MAINTENANCE.PAGE.SIGN_IN')}</a>}
      {children}
    </footer>
  );
}
