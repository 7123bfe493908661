import type { FieldProblem, ProblemCode } from '@portico/contract/problem';
import type { TFunction } from 'i18next';
import { ProblemError } from '../calls/problem-error.ts';
import { problemText } from '../calls/problem-text.ts';

/** What is wrong, in words: by field of the request's body, and with the whole. */
export type Problems<Field extends string> = Partial<Record<Field | 'general', string>>;

/**
 * What a field's problem is called: a text key; text keys by the problem's code, with `else` for the others; or words that are made
 * from it, where `below` is the rest of the pointer under the field.
 */
export type FieldWords =
  | string
  | ({ readonly else: string } & Readonly<Record<string, string>>)
  | ((t: TFunction, problem: FieldProblem, below: string) => string);

/** How a form explains refusals. Fields have the names of the request's body. */
export type ProblemWords<Field extends string> = {
  readonly fields: Readonly<Record<Field, FieldWords>>;
  /**
   * Which of the fields a problem belongs to, by what the body calls it (an error that names none: empty) and the problem's code; left
   * out: the one of that name.
   */
  readonly fieldOf?: (name: string, code: string) => string;
  /** Refusals that name no field of the form, by code: a text key, or words made from it. */
  readonly codes?: Readonly<
    Partial<Record<ProblemCode, string | ((t: TFunction, error: ProblemError) => string)>>
  >;
};

/**
 * Puts what the server refused beside the form's fields, by JSON pointer (RFC 6901), also where it points below a field. The first
 * problem of a field counts. What belongs to no field concerns the whole, in the form's own words for the code, or in those that
 * are the same everywhere (`problemText`).
 *
 * @param error why the last save failed; null: it did not
 * @param edited fields that hold something else by now than the server has seen: they have no problem
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

/** Where an error names no field it is a problem itself, of the whole body. */
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
