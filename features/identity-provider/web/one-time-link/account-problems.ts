import type { FieldProblem } from '#contract/problem.ts';
import type { ProblemError } from '#web/platform/calls/problem-error.ts';

export const accountFields = ['email', 'firstName', 'lastName', 'password'] as const;
export type AccountField = (typeof accountFields)[number];

/** Text keys for problems, by field. */
export type AccountErrors = Partial<Record<AccountField, string>>;

/** The problems of fields of the form; null if the problem concerns anything else. */
export function accountErrors(problem: ProblemError): AccountErrors | null {
  if (problem.errors.length === 0) return null;
  const found: AccountErrors = {};
  for (const error of problem.errors) {
    const field = accountFields.find((name) => error.pointer === `/${name}`);
    if (field === undefined) return null;
    found[field] ??= textKey(field, error);
  }
  return found;
}

/** The link itself is refused: used, expired, or malformed. */
export function refusesLink(problem: ProblemError): boolean {
  return problem.code === 'LINK_INVALID' || problem.errors.some(({ pointer }) => pointer === '/token');
}

function textKey(field: AccountField, { code }: FieldProblem): string {
  switch (field) {
    case 'email':
      return code === 'taken' ? 'ACCOUNT.ERRORS.EMAIL_TAKEN' : 'ACCOUNT.ERRORS.EMAIL_FORMAT';
    case 'password':
      if (code === 'common') return 'ACCOUNT.ERRORS.PASSWORD_COMMON';
      return code === 'too_big' ? 'ACCOUNT.ERRORS.PASSWORD_LONG' : 'ACCOUNT.ERRORS.PASSWORD_SHORT';
    case 'firstName':
    case 'lastName':
      return 'ACCOUNT.ERRORS.NAME';
  }
}
