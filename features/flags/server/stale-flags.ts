import type { FlagRule } from '#features/flags/contract/flags.ts';
import type { Reader } from '#server/platform/database/database.ts';

/** After so long without a change a flag that decides nothing is stale. */
const staleAfterMs = 30 * 24 * 3_600_000;

/** A boolean flag that is on and gives everyone the same, and since when it has not been changed. */
export type StaleFlag = { key: string; value: boolean; since: number };

/**
 * The flags that could go from the code: boolean, on, without a rule that distinguishes, unchanged for 30
 * days. Those that have been so for longest come first.
 */
export async function staleFlags(read: Reader, now: number): Promise<StaleFlag[]> {
  const rows = await read
    .selectFrom('flag')
    .select(['key', 'default_value', 'rules', 'changed_at'])
    .where('type', '=', 'boolean')
    .where('enabled', '=', 1)
    .where('archived_at', 'is', null)
    .where('changed_at', '<=', now - staleAfterMs)
    .orderBy('changed_at')
    .orderBy('key')
    .execute();
  return rows.flatMap((row) => {
    const value = valueForEveryone(
      JSON.parse(row.default_value) as unknown,
      row.rules === '[]' ? [] : (JSON.parse(row.rules) as FlagRule[]),
    );
    return typeof value === 'boolean' ? [{ key: row.key, value, since: row.changed_at }] : [];
  });
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
