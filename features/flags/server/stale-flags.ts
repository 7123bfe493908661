import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';

/** A flag that decides nothing is stale after this long without a change. */
const staleAfterMs = 30 * 24 * 3_600_000;

/**
 * The flags that could be removed from the code, with the value that everyone gets: boolean flags that are on, have
 * no rule that distinguishes people, and are unchanged for 30 days. The flag unchanged for longest comes first.
 */
export function staleFlags(flags: readonly Flag[], now: number): { flag: Flag; value: boolean }[] {
  return flags
    .filter(
      ({ type, enabled, changedAt }) => type === 'boolean' && enabled && changedAt <= now - staleAfterMs,
    )
    .flatMap((flag) => {
      const value = valueForEveryone(flag.defaultValue, flag.rules);
      return typeof value === 'boolean' ? [{ flag, value }] : [];
    })
    .toSorted((a, b) => a.flag.changedAt - b.flag.changedAt);
}

/** The value that everyone gets, or undefined if the first rule distinguishes people. */
export function valueForEveryone(defaultValue: unknown, [first]: readonly FlagRule[]): unknown {
  if (first === undefined) return defaultValue;
  return Object.entries(first).every(([name, value]) => matchesAll(name, value)) ? first['force'] : undefined;
}

/** Whether this member of a rule lets everyone pass; an unknown member counts as not doing so. */
function matchesAll(name: string, value: unknown): boolean {
  switch (name) {
    case 'id':
    case 'force':
    case 'description':
    case 'hashAttribute':
    case 'hashVersion':
      return true;
    case 'coverage':
      return value === 1;
    case 'condition':
      return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    default:
      return false;
  }
}
