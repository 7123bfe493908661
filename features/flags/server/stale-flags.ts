import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';

/** After so long without a change a flag that decides nothing is stale. */
const staleAfterMs = 30 * 24 * 3_600_000;

/**
 * The flags that could go from the code, with what everyone gets: boolean, on, without a rule that distinguishes,
 * unchanged for 30 days. Those that have been so for longest come first.
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

/** The value that everyone gets, or undefined where the first rule distinguishes. */
export function valueForEveryone(defaultValue: unknown, [first]: readonly FlagRule[]): unknown {
  if (first === undefined) return defaultValue;
  return Object.entries(first).every(([name, value]) => matchesAll(name, value)) ? first['force'] : undefined;
}

/** Whether this member of a rule lets everyone pass; one that is not known counts as one that does not. */
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
