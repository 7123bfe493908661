import { ProblemError } from '#web/platform/calls/problem-error.ts';

/** Problems: text keys by field, a wait, or another text key. */
export type PasswordProblems = { current?: string; next?: string; waitMs?: number; other?: unknown };

/** Sorts the server's answer by field; guesses at the current password are slowed down as at the sign-in. */
export function passwordProblems(error: unknown): PasswordProblems {
  if (!(error instanceof ProblemError)) return { other: error };
  if (error.code === 'TOO_MANY_REQUESTS') return { waitMs: error.retryAfter ?? 60_000 };
  if (error.code === 'NOT_FOUND') return { current: 'PASSWORD.ERRORS.ELSEWHERE' };
  const [first] = error.errors;
  if (first?.pointer === '/currentPassword') return { current: 'PASSWORD.ERRORS.CURRENT_WRONG' };
  if (first?.pointer === '/newPassword') {
    return { next: first.code === 'common' ? 'PASSWORD.ERRORS.COMMON' : 'PASSWORD.ERRORS.LENGTH' };
  }
  return { other: error };
}
