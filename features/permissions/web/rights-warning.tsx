import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { dismiss, notify } from '#web/ui/notifications/notifications.ts';
import { permissionsUpdated, permissionsUpdatedKey } from './permissions-updated.ts';
import type { RightsChange } from './rights-change.ts';

type RightsWarningProps = {
  change: RightsChange | null;
  /** The person has closed it. */
  onClose: () => void;
  onReload: () => void;
};

/**
 * The sticky warning that the rights have changed (RIGHT-6); one at most, in the current language. Draws
 * nothing itself.
 */
export function RightsWarning({ change, onClose, onReload }: RightsWarningProps): null {
  const { t } = useTranslation();

  useEffect(() => {
    if (change === null) {
      dismiss(permissionsUpdatedKey);
      return;
    }
    notify({
      ...permissionsUpdated((key, values) => t(key, values ?? {}), change),
      actions: [{ label: t('COMMON.WARNINGS.PERMISSIONS_UPDATED.ACTION'), act: onReload }],
      onClose,
    });
  }, [change, onClose, onReload, t]);

  return null;
}
