import { HttpProblem } from '../../platform/http-problem.ts';

/** A place in the audit: an entry, by its time and, among those of the same time, its id. */
export type Place = { at: number; id: string };

/** A place as clients carry it. */
export function writeCursor({ at, id }: Place): string {
  return `${at}.${id}`;
}

/** Throws INVALID_REQUEST for what was not made by `writeCursor`. */
export function readCursor(cursor: string): Place {
  const [, at, id] = /^(\d{1,16})\.([A-Za-z0-9_-]{1,64})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined || Number(at) > Number.MAX_SAFE_INTEGER) {
    throw new HttpProblem('INVALID_REQUEST', {
      detail: 'Begin again without a cursor, or use `next` of the page before.',
      errors: [{ pointer: '/cursor', code: 'invalid', message: 'is not a cursor of this list' }],
    });
  }
  return { at: Number(at), id };
}
