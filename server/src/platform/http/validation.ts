import type * as z from 'zod/mini';
import type { FieldProblem } from '#contract/problem.ts';

type Issue = z.core.$ZodIssue;

/** What is wrong with each field: stable codes, and plain English for developers. */
export function fieldProblems(issues: readonly Issue[]): FieldProblem[] {
  const problems = issues.slice(0, 50).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          pointer: pointer([...issue.path, key]),
          code: 'unknown',
          message: 'is not known here',
        }))
      : [{ pointer: pointer(issue.path), ...reason(issue) }],
  );
  // A value outside the bounds of a type is also outside those of the field, which come later and are narrower.
  return [...new Map(problems.map((one) => [`${one.code} ${one.pointer}`, one])).values()];
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
        message: messageOf(issue, 'has the wrong form'),
      };
    case 'invalid_value':
      return { code: 'invalid', message: `must be one of ${issue.values.map(String).join(', ')}` };
    case 'invalid_union':
    case 'custom':
      return { code: 'invalid', message: messageOf(issue, 'is not valid') };
    default:
      return { code: 'invalid', message: 'is not valid' };
  }
}

/** The contract's own message, where it has one. */
function messageOf(issue: Issue, otherwise: string): string {
  return issue.message === zodDefault ? otherwise : issue.message;
}

/** Zod's own message where no locale is loaded. */
const zodDefault = 'Invalid input';

function unit(origin: string): string {
  return origin === 'string' ? 'characters' : origin === 'array' || origin === 'set' ? 'entries' : '';
}
