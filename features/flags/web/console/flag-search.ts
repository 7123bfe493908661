import type { Flag } from '#features/flags/contract/flags.ts';

export type FlagFilter = { search: string; enabled: 'on' | 'off' | ''; tag: string };
export const flagOrders = ['key', 'changed', 'enabled'] as const;
export type FlagOrder = (typeof flagOrders)[number];

/** The flags that contain every word of the search in key, description or tags. */
export function findFlags<One extends Flag>(flags: readonly One[], filter: FlagFilter): One[] {
  const words = filter.search
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return flags.filter((flag) => {
    if (filter.enabled !== '' && flag.enabled !== (filter.enabled === 'on')) return false;
    if (filter.tag !== '' && !flag.tags.includes(filter.tag)) return false;
    const text = `${flag.key}\n${flag.description}\n${flag.tags.join('\n')}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Sorts flags by key, or with the latest change first, or with flags that are on first. */
export function sortFlags(flags: readonly Flag[], order: FlagOrder): Flag[] {
  const byKey = (one: Flag, other: Flag) => (one.key < other.key ? -1 : 1);
  if (order === 'changed')
    return flags.toSorted((one, other) => other.changedAt - one.changedAt || byKey(one, other));
  if (order === 'enabled')
    return flags.toSorted((one, other) => Number(other.enabled) - Number(one.enabled) || byKey(one, other));
  return flags.toSorted(byKey);
}

/** All tags of the flags without duplicates, sorted. */
export function tagsOf(flags: readonly Flag[]): string[] {
  return [...new Set(flags.flatMap(({ tags }) => tags))].toSorted((one, other) => one.localeCompare(other));
}
