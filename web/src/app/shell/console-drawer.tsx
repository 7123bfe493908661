import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';

/** The console's navigation on narrow windows. */
export function ConsoleDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Dialog open kind="drawer" title={t('SHELL.CONSOLE')} closeLabel={t('COMMON.CLOSE')} onClose={onClose}>
      <nav aria-label={t('SHELL.CONSOLE_SCREENS')}>{children}</nav>
    </Dialog>
  );
}
