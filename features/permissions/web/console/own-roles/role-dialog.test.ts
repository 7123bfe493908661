import { roleName } from '#features/permissions/contract/administration.ts';
import { describe, expect, it } from 'vitest';
import { roleKeyOf } from './role-dialog.tsx';

describe('roleKeyOf', () => {
  it.each([
    ['Field crew', 'field-crew'],
    ['  Équipe 2 / Nord ', 'equipe-2-nord'],
    ['7 Seas', 'seas'],
    ['x'.repeat(60), 'x'.repeat(48)],
  ])('RIGHT-3: %s becomes %s, which is a key', (name, key) => {
    expect(roleKeyOf(name)).toBe(key);
    expect(roleName.safeParse(key).success).toBe(true);
  });

  it('RIGHT-3: a name without a letter of the alphabet has none', () => {
    expect(['地図', '--', ''].map(roleKeyOf)).toEqual(['', '', '']);
  });
});
