import { HttpProblem } from '../../platform/http-problem.ts';

/** A place in the log of a webhook as clients carry it: behind the delivery of this time. */
export function writeCursor(createdAt: number): string {
  return String(createdAt);
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
