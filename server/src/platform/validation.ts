import type * as z from 'zod/mini';
import type { FieldProblem } from '@portico/contract/problem';

type Issue = z.core.$ZodIssue;

/** What is wrong with each field, with stable codes and plain English for developers; people read the web's catalogues. */
export function fieldProblems(issues: readonly Issue[]): FieldProblem[] {
  return issues.slice(0, 50).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          pointer: pointer([...issue.path, key]),
          code: 'unknown',
          message: 'is not known here',
        }))
      : [{ pointer: pointer(issue.path), ...reason(issue) }],
  );
}

/** RFC 6901. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function reason(issue: Issue): { code: string; message: string } {
  if (issue.input === undefined) return { code: 'required', message: 'is missing' };
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'type', message: `must be of type ${issue.expected}` };
    case 'too_small':
      return {
        code: 'too_small',
        message: `must have at least ${String(issue.minimum)} ${unit(issue.origin)}`.trim(),
      };
    case 'too_big':
      return {
        code: 'too_big',
        message: `must have at most ${String(issue.maximum)} ${unit(issue.origin)}`.trim(),
      };
    case 'invalid_format':
      return {
        code: 'format',
        message: issue.format === 'email' ? 'is not an e-mail address' : 'has the wrong form',
      };
    case 'invalid_value':
      return { code: 'invalid', message: `must be one of ${issue.values.map(String).join(', ')}` };
    case 'custom':
      return { code: 'invalid', message: issue.message ?? 'is not valid' };
    default:
      return { code: 'invalid', message: 'is not valid' };
  }
}

function unit(origin: string): string {
  return origin === 'string' ? 'characters' : origin === 'array' || origin === 'set' ? 'entries' : '';
}
