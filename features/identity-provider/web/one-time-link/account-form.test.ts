import { describe, expect, it } from 'vitest';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { accountErrors, refusesLink } from './account-form.tsx';

function refused(...errors: [pointer: string, code: string][]): ProblemError {
  return new ProblemError({
    status: 422,
    code: 'INVALID_BODY',
    title: '',
    errors: errors.map(([pointer, code]) => ({ pointer, code, message: '' })),
  });
}

describe('START-6: what the server refuses stands at its field', () => {
  it('START-6: each field by its pointer, the first reason of each', () => {
    expect(
      accountErrors(refused(['/email', 'format'], ['/firstName', 'too_big'], ['/password', 'common'])),
    ).toEqual({
      email: 'ACCOUNT.ERRORS.EMAIL_FORMAT',
      firstName: 'ACCOUNT.ERRORS.NAME',
      password: 'ACCOUNT.ERRORS.PASSWORD_COMMON',
    });
    expect(accountErrors(refused(['/password', 'too_small'], ['/password', 'common']))).toEqual({
      password: 'ACCOUNT.ERRORS.PASSWORD_SHORT',
    });
    expect(accountErrors(refused(['/email', 'taken'], ['/password', 'too_big']))).toEqual({
      email: 'ACCOUNT.ERRORS.EMAIL_TAKEN',
      password: 'ACCOUNT.ERRORS.PASSWORD_LONG',
    });
  });

  it('START-6: what no field of the form can mend is not hidden behind one', () => {
    expect(accountErrors(refused(['/password', 'common'], ['/surprise', 'unknown']))).toBeNull();
    expect(accountErrors(new ProblemError({ status: 500, code: 'INTERNAL', title: '' }))).toBeNull();
  });

  it('START-6: a used, expired or mangled link is distinguished from a mistake in a field', () => {
    expect(refusesLink(new ProblemError({ status: 410, code: 'LINK_INVALID', title: '' }))).toBe(true);
    expect(refusesLink(refused(['/token', 'format']))).toBe(true);
    expect(refusesLink(refused(['/password', 'common']))).toBe(false);
  });
});
