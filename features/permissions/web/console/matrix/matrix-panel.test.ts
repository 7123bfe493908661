import type { RoleDefinition } from '#features/permissions/contract/administration.ts';
import { expect, it } from 'vitest';
import { changedRoles, rightsWith } from './matrix-panel.tsx';

const role = (rights: string[], version: number): RoleDefinition => ({
  role: 'clerks',
  name: 'Clerks',
  description: '',
  builtIn: false,
  rights,
  people: 1,
  version,
});

it('RIGHT-4: what is chosen in the matrix keeps what another operator has saved for the role since', () => {
  const wanted = new Map([
    ['FLAGS_READ', true],
    ['ORDERS_CHANGE', false],
  ]);
  const chosen = new Map([['clerks', wanted]]);
  const [opened, since] = [
    role(['ORDERS_CHANGE', 'AUDIT_READ'], 1),
    role(['ORDERS_CHANGE', 'PEOPLE_READ'], 2),
  ];
  expect(rightsWith(opened, wanted)).toEqual(['AUDIT_READ', 'FLAGS_READ']);
  expect(rightsWith(since, wanted)).toEqual(['PEOPLE_READ', 'FLAGS_READ']);
  expect(changedRoles([since], chosen)).toEqual([since]);
  // Nothing is left to save: another operator has saved the same change, or has removed the role.
  expect(changedRoles([role(['FLAGS_READ'], 3)], chosen)).toEqual([]);
  expect(changedRoles([], chosen)).toEqual([]);
});
