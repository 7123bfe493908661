import { rightCatalogue } from '@portico/contract/permissions';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { dismiss, notify } from '../../ui/notifications/notifications.ts';
import type { RightsChange } from './rights-change.ts';

const key = 'permissions-updated';
const order: readonly string[] = rightCatalogue.map(({ right }) => right);

type RightsWarningProps = {
  change: RightsChange | null;
  /** It was closed. */
  onClose: () => void;
  onReload: () => void;
};

/** The sticky warning that the rights have changed (RIGHT-6); one at most, in the language of the moment. Draws nothing itself. */
export function RightsWarning({ change, onClose, onReload }: RightsWarningProps): null {
  const { t } = useTranslation();

  useEffect(() => {
    if (change === null) {
      dismiss(key);
      return;
    }
    // In the order of the catalogue; a right of the adopter's own has no text here and goes by its name.
    const named = (rights: readonly string[]) =>
      [
        ...order.filter((right) => rights.includes(right)).map((right) => t(`RIGHTS.${right}.LABEL`)),
        ...rights.filter((right) => !order.includes(right)),
      ].join(' · ');
    const { gained, lost } = change;
    const changes = [
      gained.length === 0 ? '' : t('COMMON.WARNINGS.PERMISSIONS_UPDATED.GAINED', { rights: named(gained) }),
      lost.length === 0 ? '' : t('COMMON.WARNINGS.PERMISSIONS_UPDATED.LOST', { rights: named(lost) }),
    ];
    notify({
      kind: 'warning',
      key,
      duration: 0,
      title: t('COMMON.WARNINGS.PERMISSIONS_UPDATED.TITLE'),
      content: t('COMMON.WARNINGS.PERMISSIONS_UPDATED.CONTENT', {
        changes: changes.filter((part) => part !== '').join(' '),
      }),
      actions: [{ label: t('COMMON.WARNINGS.PERMISSIONS_UPDATED.ACTION'), act: onReload }],
      onClose,
    });
  }, [change, onClose, onReload, t]);

  return null;
}
