import * as z from 'zod/mini';
import { errorGroup } from './diagnostics.ts';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** An error that belongs to a report. */
export const relatedError = z.object({
  error: errorGroup,
  /** The event that the report names, or the person's event that is closest in time. */
  eventId: z.string(),
  receivedAt: instant,
  /** `event`: the report names the event; `person`: the same person met the error within half an hour. */
  by: z.enum(['event', 'person']),
});
export type RelatedError = z.infer<typeof relatedError>;

export const listReportErrors = route({
  method: 'GET',
  path: '/v1/reports/:reportId/errors',
  summary: 'The errors that belong to a report, for those who may also read diagnostics (BUG-8, DIAG-2)',
  access: { right: 'REPORTS_READ' },
  params: z.object({ reportId: id }),
  answer: z.object({
    /** At most 20 errors, those that the report names first. Null for a caller who may not read diagnostics. */
    errors: z.nullable(z.array(relatedError)),
  }),
});
