import { reservedRightPrefix } from '#features/permissions/contract/permissions.ts';

/**
 * The rights that flags give (RIGHT-7): FF_<FLAG> for each enabled local flag, and for each remote flag whose
 * default in the payload is `true` itself; a text or a number that is merely truthy gives none.
 *
 * @param features as received; of a personal payload the default is already this person's value
 */
export function flagRights(
  localFlags: readonly string[],
  features: Readonly<Record<string, { readonly defaultValue?: unknown }>>,
): string[] {
  const remote = Object.entries(features).filter(([, { defaultValue }]) => defaultValue === true);
  return [...localFlags, ...remote.map(([key]) => key)].map((key) => `${reservedRightPrefix}${key}`);
}
