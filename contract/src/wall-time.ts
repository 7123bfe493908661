import * as z from 'zod/mini';
import { instant } from './text.ts';
import { presentTimeZone } from './time-zones.ts';

/**
 * A wall time: what a clock at a place shows. Where the clocks go back over it, `offset` (minutes east of
 * UTC) names one of the two times; elsewhere it may be left out.
 */
export const wallTime = z.strictObject({
  /** `2026-10-25T02:30`, seconds optional (RFC 3339, 5.6, without an offset). */
  local: z
    .string()
    .check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'is not like 2026-10-25T02:30')),
  /** A name of the IANA time zone database: `Europe/Berlin`; an older one is read as the present one. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(64), z.overwrite(presentTimeZone)),
  offset: z.optional(z.int().check(z.minimum(-1440), z.maximum(1440))),
});
export type WallTime = z.infer<typeof wallTime>;

/** A point in time, either as such or as a wall time. */
export const moment = z.union(
  [instant, wallTime],
  'must be milliseconds since 1970 UTC, such as 1795384800000, or {"local": "2026-11-22T23:00", "timeZone": "Europe/Berlin"}',
);
export type Moment = z.infer<typeof moment>;
