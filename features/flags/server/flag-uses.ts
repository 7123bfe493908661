import type { Flag, FlagUse } from '#features/flags/contract/flags.ts';
import { conditionsOnFlags } from './rules.ts';

type Dependent = Pick<Flag, 'key' | 'enabled' | 'rules'>;

/**
 * The flags that depend on a flag, in order of their keys: those whose rules ask for it, and those that
 * depend on these. What depends on it only through a flag that is off is left out: it does not get that
 * flag's value in any case.
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
