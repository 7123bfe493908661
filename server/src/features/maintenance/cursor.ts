import * as z from 'zod/mini';
import { id, instant } from '@portico/contract/text';
import { HttpProblem } from '../../platform/http-problem.ts';

const place = z.tuple([instant, id]);

/** A place in a list that goes by time, and where that is the same by id. */
export type Place = readonly [at: number, id: string];

/** The place as clients carry it. It opens nothing: a made-up one only begins elsewhere. */
export function writeCursor(given: Place): string {
  return Buffer.from(JSON.stringify(given)).toString('base64url');
}

/** Throws INVALID_REQUEST for what was not made by `writeCursor`. */
export function readCursor(cursor: string): Place {
  const result = place.safeParse(parse(cursor));
  if (result.success) return result.data;
  throw new HttpProblem('INVALID_REQUEST', {
    detail: 'Begin again without a cursor, or use `next` of the page before.',
    errors: [{ pointer: '/cursor', code: 'invalid', message: 'is not a cursor of this list' }],
  });
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
  } catch {
    return null;
  }
}
