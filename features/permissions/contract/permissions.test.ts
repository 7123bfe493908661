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

  it('RIGHT-3: gives the operator every right, and each role rights of the catalogue only', () => {
    const rights = new Set<string>(rightCatalogue.map((entry) => entry.right));
    expect(new Set<string>(builtInRoles.operator)).toEqual(rights);
    for (const held of Object.values(builtInRoles)) {
      expect([...rights]).toEqual(expect.arrayContaining([...held]));
      expect(new Set<string>(held).size).toBe(held.length);
    }
    expect(builtInRoles.member).not.toContain('MAINTENANCE_BYPASS');
  });
});
