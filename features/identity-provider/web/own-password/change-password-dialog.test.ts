import { describe, expect, it } from 'vitest';
import { ProblemError } from '#web/platform/calls/problem-error.ts';
import { passwordProblems } from './change-password-dialog.tsx';

const refused = (pointer: string, code: string) =>
  new ProblemError({
    status: 422,
    code: 'INVALID_BODY',
    title: '',
    errors: [{ pointer, code, message: '' }],
  });

describe('SES-3: what is wrong with a changed password', () => {
  it('SES-3: each answer stands next to its field', () => {
    expect(passwordProblems(refused('/currentPassword', 'wrong'))).toEqual({
      current: 'PASSWORD.ERRORS.CURRENT_WRONG',
    });
    expect(passwordProblems(refused('/newPassword', 'common'))).toEqual({ next: 'PASSWORD.ERRORS.COMMON' });
    expect(passwordProblems(refused('/newPassword', 'too_small'))).toEqual({
      next: 'PASSWORD.ERRORS.LENGTH',
    });
    const elsewhere = new ProblemError({ status: 404, code: 'NOT_FOUND', title: '' });
    expect(passwordProblems(elsewhere)).toEqual({ current: 'PASSWORD.ERRORS.ELSEWHERE' });
  });

  it('SES-3: a wait is shown as long as the server asks for, anything else as it is', () => {
    const wait = new ProblemError({ status: 429, code: 'TOO_MANY_REQUESTS', title: '', retryAfter: 90_000 });
    expect(passwordProblems(wait)).toEqual({ waitMs: 90_000 });
    const broken = new TypeError('broken');
    expect(passwordProblems(broken)).toEqual({ other: broken });
    const internal = new ProblemError({ status: 500, code: 'INTERNAL', title: '' });
    expect(passwordProblems(internal)).toEqual({ other: internal });
  });
});
