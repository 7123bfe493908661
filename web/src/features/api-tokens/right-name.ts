import type { TFunction } from 'i18next';

/** What a right is called in the person's language; one that has no such name, by its own. */
export function rightName(t: TFunction, right: string): string {
  return t(`RIGHTS.${right}.LABEL`, { defaultValue: right });
}
