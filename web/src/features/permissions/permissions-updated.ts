import { isShown, rightCatalogue } from '@portico/contract/permissions';
import type { Notification } from '../../ui/notifications/notifications.ts';
import type { RightsChange } from './rights-change.ts';

/** There is one such warning at most. */
export const permissionsUpdatedKey = 'permissions-updated';

const order: readonly string[] = rightCatalogue.map(({ right }) => right);

/** The warning that the rights have changed (RIGHT-6): it stays until it is closed, and names all that has changed meanwhile. */
export function permissionsUpdated(
  t: (key: string, values?: Record<string, string>) => string,
  { gained, lost }: RightsChange,
): Notification & { key: string } {
  // In the order of the catalogue; a right of the adopter's own has no text here and goes by its name.
  const named = (rights: readonly string[]) =>
    [
      ...order.filter((right) => rights.includes(right)).map((right) => t(`RIGHTS.${right}.LABEL`)),
      ...rights.filter((right) => !order.includes(right)),
    ].join(' · ');
  const sentence = (key: string, rights: readonly string[]) => {
    const shown = rights.filter(isShown);
    return shown.length === 0 ? '' : t(key, { rights: named(shown) });
  };
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
