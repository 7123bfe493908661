import { describe, expect, it } from 'vitest';
import { builtInRoles, reservedRightPrefix, rightCatalogue } from '@portico/contract/permissions';
import { decideRights, rolesThatGive } from './decide-rights.ts';

describe('decideRights', () => {
  it('RIGHT-3: gives the rights of every role, sorted and without repeats', () => {
    expect(decideRights({ roles: ['member'], blocked: false })).toEqual(['MAP_VIEW']);
    expect(decideRights({ roles: ['support', 'member', 'support'], blocked: false })).toEqual(
      builtInRoles.support.toSorted(),
    );
    expect(decideRights({ roles: ['member', 'operator'], blocked: false })).toEqual(
      rightCatalogue.map((entry) => entry.right).toSorted(),
    );
  });

  it('RIGHT-3: gives nothing without roles, nor for a role that is not known', () => {
    expect(decideRights({ roles: [], blocked: false })).toEqual([]);
    expect(decideRights({ roles: ['emperor', 'toString', '__proto__'], blocked: false })).toEqual([]);
  });

  it('SES-8: gives nothing to the blocked', () => {
    expect(decideRights({ roles: ['operator'], blocked: true })).toEqual([]);
  });

  it('RIGHT-3: knows the roles that can manage people', () => {
    expect(rolesThatGive('PEOPLE_WRITE')).toEqual(['operator']);
    expect(rolesThatGive('MAP_VIEW').toSorted()).toEqual(['member', 'operator', 'support']);
  });

  it('RIGHT-2: no right of the catalogue begins with the reserved prefix, and each stands there once', () => {
    const rights = rightCatalogue.map((entry) => entry.right);
    expect(rights.filter((right) => right.startsWith(reservedRightPrefix))).toEqual([]);
    expect(new Set(rights).size).toBe(rights.length);
  });
});
