import type { Flag } from '@portico/contract/flags';

export type FlagFilter = { search: string; enabled: 'on' | 'off' | '' };

/** The flags that contain every word of the search in key, description or tags. */
export function findFlags(flags: readonly Flag[], filter: FlagFilter): Flag[] {
  const words = filter.search
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return flags.filter((flag) => {
    if (filter.enabled !== '' && flag.enabled !== (filter.enabled === 'on')) return false;
    const text = `${flag.key}\n${flag.description}\n${flag.tags.join('\n')}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
