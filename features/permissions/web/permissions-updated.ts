import { rightCatalogue } from '#features/permissions/contract/permissions.ts';
import type { Notification } from '#web/ui/notifications/notifications.ts';
import type { RightsChange } from './rights-change.ts';

/** One key, so that there is at most one such warning. */
export const permissionsUpdatedKey = 'permissions-updated';

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
