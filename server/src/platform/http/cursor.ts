import type * as z from 'zod/mini';
import { HttpProblem } from './http-problem.ts';

/**
 * Turns the place at which the next page of a list begins into a text for the client (`next`) and back (`cursor`).
 */
export type Cursor<Place> = {
  /** Returns null for null, where the list ends. */
  write(place: Place | null): string | null;
  /** Returns null, the beginning, for undefined. Throws INVALID_REQUEST for a text that `write` did not make. */
  read(cursor: string | undefined): Place | null;
};

/**
 * A cursor in a form of its own.
 *
 * @param parse answers null for a text that `write` did not make
 */
export function createCursor<Place>(
  write: (place: Place) => string,
  parse: (cursor: string) => Place | null,
): Cursor<Place> {
  return {
    write: (place) => (place === null ? null : write(place)),
    read(cursor) {
      if (cursor === undefined) return null;
      const place = parse(cursor);
      if (place !== null) return place;
      throw new HttpProblem('INVALID_REQUEST', {
        detail: 'Begin again without a cursor, or use `next` of the page before.',
        errors: [{ pointer: '/cursor', code: 'invalid', message: 'is not a cursor of this list' }],
      });
    },
  };
}

/** A place that is a positive whole number: the number or the time of the last row of the page. */
export const numberCursor: Cursor<number> = createCursor(String, (cursor) =>
  /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : null,
);

/**
 * A place of several parts, as JSON in base64url. It grants nothing: an invented one only begins elsewhere.
 */
export function jsonCursor<Place>(schema: z.ZodMiniType<Place>): Cursor<Place> {
  return createCursor(
    (place) => Buffer.from(JSON.stringify(place)).toString('base64url'),
    (cursor) => schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString())).data ?? null,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
