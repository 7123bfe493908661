import type { TFunction } from 'i18next';
import { isProblem } from '../../platform/problem-error.ts';
import { problemText } from '../../platform/problem-text.ts';

/** What the server says, beside the field that it is about, or for the whole. */
export type RightsProblems = { field(pointer: string): string | null; general: string | null };

/**
 * @param taken what a conflict at a field means there
 */
export function rightsProblems(t: TFunction, error: unknown, taken: Record<string, string>): RightsProblems {
  const none = { field: () => null, general: null };
  if (error === null) return none;
  if (isProblem(error, 'LAST_ADMINISTRATOR'))
    return { ...none, general: t('ROLES_AND_RIGHTS.ERRORS.LAST_ADMINISTRATOR') };
  if (isProblem(error, 'CONFLICT')) {
    const pointers = error.errors.map(({ pointer }) => pointer);
    return pointers.length === 0
      ? { ...none, general: t('ROLES_AND_RIGHTS.ERRORS.TOO_MANY') }
      : { ...none, field: (pointer) => (pointers.includes(pointer) ? (taken[pointer] ?? null) : null) };
  }
  if (isProblem(error, 'INVALID_BODY')) {
    const { errors } = error;
    const reserved = errors.some(({ pointer, message }) => pointer === '/right' && message.includes('FF_'));
    return {
      general: null,
      field: (pointer) =>
        !errors.some((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
          ? null
          : t(
              pointer === '/right'
                ? reserved
                  ? 'ROLES_AND_RIGHTS.ERRORS.RESERVED'
                  : 'ROLES_AND_RIGHTS.ERRORS.RIGHT_NAME'
                : pointer === '/role'
                  ? 'ROLES_AND_RIGHTS.ERRORS.ROLE_NAME'
                  : 'ROLES_AND_RIGHTS.ERRORS.TEXT',
            ),
    };
  }
  return { ...none, general: problemText(t, error) };
}
