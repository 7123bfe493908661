import { addRight, addRole } from '#features/permissions/contract/administration.ts';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { rightWords, roleWords } from './problem-words.ts';

const t = ((key: string, values?: { most?: number }) =>
  `${key} ${values?.most ?? ''}`) as unknown as TFunction;

function refused(pointer: string, code: string): ProblemError {
  const errors = [{ pointer, code, message: '' }];
  return new ProblemError({ status: 422, code: 'INVALID_BODY', title: '', errors });
}

/** The number of characters that a refusal names. */
const named = (text = '') => Number(/ (\d+)$/.exec(text)?.[1]);

describe('RIGHT-3: a text that is refused names the length that is accepted', () => {
  const role = { role: 'clerks', name: 'Clerks', description: '', rights: [] };
  it.each(['name', 'description'] as const)('RIGHT-3: the %s of a role', (field) => {
    const most = named(problemsOf(t, refused(`/${field}`, 'too_big'), roleWords)[field]);
    expect(addRole.body.safeParse({ ...role, [field]: 'x'.repeat(most) }).success).toBe(true);
    expect(addRole.body.safeParse({ ...role, [field]: 'x'.repeat(most + 1) }).success).toBe(false);
  });

  const right = { right: 'ORDERS_CHANGE', label: 'Orders', description: '', area: 'Orders' };
  it.each(['label', 'description', 'area'] as const)('RIGHT-3: the %s of a right', (field) => {
    const most = named(problemsOf(t, refused(`/${field}`, 'too_big'), rightWords)[field]);
    expect(addRight.body.safeParse({ ...right, [field]: 'x'.repeat(most) }).success).toBe(true);
    expect(addRight.body.safeParse({ ...right, [field]: 'x'.repeat(most + 1) }).success).toBe(false);
  });

  it('RIGHT-3: a name that another role has is called so', () => {
    expect(problemsOf(t, refused('/name', 'taken'), roleWords).name).toContain('ROLE_TAKEN');
  });
});
