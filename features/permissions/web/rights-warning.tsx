import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { dismiss, type Notification, notify } from '#web/ui/notifications/notifications.ts';
import type { RightsChange } from './rights-change.ts';
import { rightCatalogue } from '#contract/features.ts';

/** One key, so that there is at most one such warning. */
const permissionsUpdatedKey = 'permissions-updated';

const order: readonly string[] = rightCatalogue.map(({ right }) => right);

/**
 * The warning that the rights have changed (RIGHT-6): it stays until it is closed, and names all changes so
 * far.
 */
export function permissionsUpdated(
  t: (key: string, values?: Record<string, string>) => string,
  { gained, lost }: RightsChange,
): Notification & { key: string } {
  // In the order of the catalogue; an own right has no text here and is shown by its key.
  const named = (rights: readonly string[]) =>
    [
      ...order.filter((right) => rights.includes(right)).map((right) => t(`RIGHTS.${right}.LABEL`)),
      ...rights.filter((right) => !order.includes(right)),
    ].join(' · ');
  const sentence = (key: string, rights: readonly string[]) =>
    rights.length === 0 ? '' : t(key, { rights: named(rights) });
  const changes = [
    sentence('COMMON.WARNINGS.PERMISSIONS_UPDATED.GAINED', gained),
    sentence('COMMON.WARNINGS.PERMISSIONS_UPDATED.LOST', lost),
  ];
  return {
    kind: 'warning',
    key: permissionsUpdatedKey,
    duration: 0,
    title: t('COMMON.WARNINGS.PERMISSIONS_UPDATED.TITLE'),
    content: t('COMMON.WARNINGS.PERMISSIONS_UPDATED.CONTENT', {
      changes: changes.filter((part) => part !== '').join(' '),
    }).trimStart(),
  };
}

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
