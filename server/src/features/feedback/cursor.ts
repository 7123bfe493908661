import { HttpProblem } from '../../platform/http-problem.ts';

/** A place in a list of reports as clients carry it: behind the report of this number. */
export function writeCursor(number: number): string {
  return String(number);
}

/** Throws INVALID_REQUEST for what was not made by `writeCursor`. */
export function readCursor(cursor: string): number {
  if (!/^[1-9]\d{0,14}$/.test(cursor)) {
    throw new HttpProblem('INVALID_REQUEST', {
      detail: 'Begin again without a cursor, or use `next` of the page before.',
      errors: [{ pointer: '/cursor', code: 'invalid', message: 'is not a cursor of this list' }],
    });
  }
  return Number(cursor);
}
