import type { Flag, FlagUse } from '#features/flags/contract/flags.ts';
import { conditionsOnFlags } from './rules.ts';

type Dependent = Pick<Flag, 'key' | 'enabled' | 'rules'>;

/**
 * The flags that depend on a flag, in order of their keys: flags whose rules ask for it, and flags that depend
 * on these. A flag that depends on it only through a flag that is off is left out, since it never gets the
 * value of the flag that is off.
 */
export function usesOf(key: string, all: readonly Dependent[]): FlagUse[] {
  const uses = new Map<string, FlagUse>();
  const open = [key];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const { key: child, enabled, rules } of all) {
      const asked = conditionsOnFlags(rules).filter(({ id }) => id === parent);
      if (asked.length === 0 || uses.has(child) || child === key) continue;
      const conditions = parent === key ? asked.map(({ id: _id, ...each }) => each) : [];
      uses.set(child, { key: child, enabled, conditions });
      if (enabled) open.push(child);
    }
  }
  return [...uses.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
