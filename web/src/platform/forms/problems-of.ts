import type { FieldProblem, ProblemCode } from '#contract/problem.ts';
import type { TFunction } from 'i18next';
import { ProblemError } from '../calls/problem-error.ts';
import { problemText } from '../calls/problem-text.ts';

/** The texts for the problems of a request: by field of the body, and `general` for the whole. */
export type Problems<Field extends string> = Partial<Record<Field | 'general', string>>;

/**
 * The text for a problem of a field: a text key; text keys by the problem's code, with `else` for other codes; or a
 * function that returns the text, where `below` is the rest of the pointer under the field.
 */
export type FieldWords =
  | string
  | ({ readonly else: string } & Readonly<Record<string, string>>)
  | ((t: TFunction, problem: FieldProblem, below: string) => string);

/** The texts by which a form explains refusals. Its fields have the names used in the request body. */
export type ProblemWords<Field extends string> = {
  readonly fields: Readonly<Record<Field, FieldWords>>;
  /**
   * Maps the name in the body (empty if the error names none) and the code to a field. Left out: to the field of
   * that name.
   */
  readonly fieldOf?: (name: string, code: string) => string;
  /** The texts for problems of no field, by code: a text key, or a function that returns the text. */
  readonly codes?: Readonly<
    Partial<Record<ProblemCode, string | ((t: TFunction, error: ProblemError) => string)>>
  >;
};

/**
 * Assigns the server's problems to the fields of the form by JSON pointer (RFC 6901), also pointers below a field.
 * Each field shows its first problem. A problem of no field becomes `general`, with the form's own text for the
 * code, or else the common text (`problemText`).
 *
 * @param error the error of the last save; null: it did not fail
 * @param edited fields that were changed since they were sent; their problems are left out
 */
export function problemsOf<Field extends string>(
  t: TFunction,
  error: unknown,
  { fields, fieldOf = (name) => name, codes = {} }: ProblemWords<Field>,
  edited: readonly string[] = [],
): Problems<Field> {
  if (error === null) return {};
  const found: Partial<Record<string, string>> = {};
  for (const problem of problemsIn(error)) {
    const [name, below] = placeOf(problem.pointer);
    const field = fieldOf(name, problem.code);
    if (edited.includes(field)) continue;
    if (Object.hasOwn(fields, field)) found[field] ??= wordsFor(t, fields[field as Field], problem, below);
    else found['general'] ??= generalText(t, error, codes);
  }
  return found;
}

/** The problems of an error; an error that names no field counts as one problem of the whole body. */
function problemsIn(error: unknown): readonly FieldProblem[] {
  if (!(error instanceof ProblemError)) return [{ pointer: '', code: '', message: '' }];
  const { errors, code, message } = error;
  return errors.length > 0 ? errors : [{ pointer: '', code, message }];
}

function generalText(t: TFunction, error: unknown, codes: NonNullable<ProblemWords<never>['codes']>): string {
  const own = error instanceof ProblemError ? codes[error.code as ProblemCode] : undefined;
  if (own === undefined) return problemText(t, error);
  return typeof own === 'string' ? t(own) : own(t, error as ProblemError);
}

/** Splits a pointer: `/rules/0/id` becomes `rules` and `/0/id`. */
function placeOf(pointer: string): [name: string, below: string] {
  const [, name = ''] = pointer.split('/');
  return [name, pointer.slice(name.length + 1)];
}

function wordsFor(t: TFunction, words: FieldWords, problem: FieldProblem, below: string): string {
  if (typeof words === 'function') return words(t, problem, below);
  return t(typeof words === 'string' ? words : (words[problem.code] ?? words.else));
}
