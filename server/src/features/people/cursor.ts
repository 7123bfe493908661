import * as z from 'zod/mini';
import { id } from '@portico/contract/text';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Place } from './person-list.ts';

// Whatever arrives here goes into a query, and PostgreSQL takes no NUL in a text.
const place = z.tuple([
  z.string().check(
    z.maxLength(200),
    z.refine((text) => !text.includes('\u0000')),
  ),
  id,
]);

/** A place in the list of people as clients carry it. It opens nothing: a made-up one only begins elsewhere. */
export function writeCursor({ nameKey, personId }: Place): string {
  return Buffer.from(JSON.stringify([nameKey, personId])).toString('base64url');
}

/** Throws INVALID_REQUEST for what was not made by `writeCursor`. */
export function readCursor(cursor: string): Place {
  const result = place.safeParse(parse(cursor));
  if (!result.success) {
    throw new HttpProblem('INVALID_REQUEST', {
      detail: 'Begin again without a cursor, or use `next` of the page before.',
      errors: [{ pointer: '/cursor', code: 'invalid', message: 'is not a cursor of this list' }],
    });
  }
  const [nameKey, personId] = result.data;
  return { nameKey, personId };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
  } catch {
    return null;
  }
}
