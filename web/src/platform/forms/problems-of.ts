import type { FieldProblem, ProblemCode } from '#contract/problem.ts';
import type { TFunction } from 'i18next';
import { ProblemError } from '../calls/problem-error.ts';
import { problemText } from '../calls/problem-text.ts';

/** The problems of a request in words: by field of its body, and of the whole. */
export type Problems<Field extends string> = Partial<Record<Field | 'general', string>>;

/**
 * The text of a field's problem: a text key; text keys by the problem's code, with `else` for the others; or
 * a function that makes it, where `below` is the rest of the pointer under the field.
 */
export type FieldWords =
  | string
  | ({ readonly else: string } & Readonly<Record<string, string>>)
  | ((t: TFunction, problem: FieldProblem, below: string) => string);

/** How a form explains refusals. Fields have the names of the request's body. */
export type ProblemWords<Field extends string> = {
  readonly fields: Readonly<Record<Field, FieldWords>>;
  /**
   * The field of a problem, by its name in the body (empty for an error that names none) and its code; left
   * out: the field of that name.
   */
  readonly fieldOf?: (name: string, code: string) => string;
  /** Refusals that concern no field of the form, by code: a text key, or a function that makes the text. */
  readonly codes?: Readonly<
    Partial<Record<ProblemCode, string | ((t: TFunction, error: ProblemError) => string)>>
  >;
};

/**
 * Sorts the server's problems by field of the form, by JSON pointer (RFC 6901), also one that points below a
 * field. The first problem of a field counts. One that concerns no field is shown for the whole, in the
 * form's own text for the code, or in the common one (`problemText`).
 *
 * @param error why the last save failed; null: it did not
 * @param edited fields that were changed since they were sent: they have no problem
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

/** An error that names no field is itself a problem, of the whole body. */
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

/** `/rules/0/id` is `rules` and `/0/id`. */
function placeOf(pointer: string): [name: string, below: string] {
  const [, name = ''] = pointer.split('/');
  return [name, pointer.slice(name.length + 1)];
}

function wordsFor(t: TFunction, words: FieldWords, problem: FieldProblem, below: string): string {
  if (typeof words === 'function') return words(t, problem, below);
  return t(typeof words === 'string' ? words : (words[problem.code] ?? words.else));
}
