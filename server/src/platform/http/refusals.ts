import { HttpProblem } from './http-problem.ts';

/** Returns the value; throws NOT_FOUND with this detail where it is null or undefined. */
export function orNotFound<T>(value: T | null | undefined, detail: string): T {
  if (value === null || value === undefined) throw new HttpProblem('NOT_FOUND', { detail });
  return value;
}

/** The detail of VERSION_CONFLICT where the caller needs no more than that. */
export const changedMeanwhile = 'Somebody changed this meanwhile. Look again, then repeat it.';

/** Throws VERSION_CONFLICT where a row has another version than `version`; null: not stored yet. */
export function refuseStale(row: { version: number } | null, version: number | null, detail?: string): void {
  if ((row?.version ?? null) !== version)
    throw new HttpProblem('VERSION_CONFLICT', detail === undefined ? {} : { detail });
}

/** Makes INVALID_BODY for one field; `pointer` is a JSON pointer into the body (RFC 6901). */
export function invalid(pointer: string, code: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_BODY', { errors: [{ pointer, code, message }] });
}

/** Makes CONFLICT for a field whose value another row has; `message` is shown at the field. */
export function taken(pointer: string, detail: string, message = detail): HttpProblem {
  return new HttpProblem('CONFLICT', { detail, errors: [{ pointer, code: 'taken', message }] });
}
