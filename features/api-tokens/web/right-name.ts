import type { TFunction } from 'i18next';

/** The name of a right in the person's language; without one, its key. */
export function rightName(t: TFunction, right: string): string {
  return t(`RIGHTS.${right}.LABEL`, { defaultValue: right });
}
