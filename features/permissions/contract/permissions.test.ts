import { describe, expect, it } from 'vitest';
import { builtInRoles, reservedRightPrefix } from './permissions.ts';
import { rightCatalogue } from '#contract/features.ts';

describe('the catalogue of rights', () => {
  it('RIGHT-2: names each right once, none of them reserved for flags', () => {
    const rights = rightCatalogue.map((entry) => entry.right);
    expect(new Set(rights).size).toBe(rights.length);
    for (const right of rights) {
      expect(right).toMatch(/^[A-Z][A-Z_]*[A-Z]$/);
      expect(right.startsWith(reservedRightPrefix)).toBe(false);
    }
  });

  it('RIGHT-3: gives the operator every right, and members no passage through maintenance', () => {
    expect(builtInRoles.operator).toHaveLength(rightCatalogue.length);
    expect(builtInRoles.member).not.toContain('MAINTENANCE_BYPASS');
  });
});
