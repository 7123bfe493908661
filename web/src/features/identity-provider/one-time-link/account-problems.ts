import type { FieldProblem } from '@portico/contract/problem';
import type { ProblemError } from '../../../platform/calls/problem-error.ts';

export const accountFields = ['email', 'firstName', 'lastName', 'password'] as const;
export type AccountField = (typeof accountFields)[number];

/** Keys of the texts for what is wrong, by field. */
export type AccountErrors = Partial<Record<AccountField, string>>;

/** The fields that the server refuses; null where something else is wrong, or something in no field of the form. */
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

/** The link itself is wrong: used, expired, or not one at all. */
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
