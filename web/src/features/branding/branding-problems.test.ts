import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { ProblemError } from '../../platform/problem-error.ts';
import { brandingProblems } from './branding-problems.ts';

const t = ((key: string) => key) as TFunction;

it('CON-1: what the server says of a field goes as soon as something else stands there, and no sooner', () => {
  const error = new ProblemError({
    status: 400,
    code: 'INVALID_BODY',
    title: '',
    errors: [
      { pointer: '/name', code: 'too_big', message: '' },
      { pointer: '/accent', code: 'invalid_format', message: '' },
    ],
  });
  const [name, accent] = ['BRANDING.ERRORS.NAME', 'BRANDING.ERRORS.ACCENT'];
  expect(brandingProblems(t, error)).toEqual({ name, accent });
  expect(brandingProblems(t, error, ['accent', 'mark'])).toEqual({ name });
  expect(brandingProblems(t, null, ['name'])).toEqual({});
});
