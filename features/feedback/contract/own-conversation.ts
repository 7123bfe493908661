import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id } from '#contract/text.ts';
import { sentMessage } from './messages.ts';
import { ownReport } from './own-reports.ts';

// In a file of its own, since the list of own reports is downloaded with the first page.

export const getOwnReport = route({
  method: 'GET',
  path: '/v1/users/:userId/reports/:reportId',
  summary: "One of a person's own reports with all replies (BUG-9); `current` is the caller",
  access: { self: 'userId', orRight: 'REPORTS_READ' },
  params: z.object({ userId: id, reportId: id }),
  answer: ownReport,
});

/** Reopens a report that is resolved, closed or a duplicate. People reply only to their own reports. */
export const replyToOwnReport = route({
  method: 'POST',
  path: '/v1/users/current/reports/:reportId/replies',
  summary: 'A reply of the caller to the operators, about a report that the caller sent (BUG-9)',
  access: 'signed-in',
  params: z.object({ reportId: id }),
  body: z.strictObject(sentMessage),
  answer: ownReport,
  status: 201,
});
