import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id } from '#contract/text.ts';
import { fullReport } from './inbox.ts';
import { messageText, sentMessage } from './messages.ts';
import { ownReport, reportStatus } from './own-reports.ts';

const access = { right: 'REPORTS_WRITE' } as const;
const oneReport = z.object({ reportId: id });
const oneNote = z.object({ reportId: id, messageId: id });

/**
 * A reply needs no version, since it overwrites no change of others. The reporter reads it on My reports
 * at once, and by mail where mail is configured.
 */
export const replyToReport = route({
  method: 'POST',
  path: '/v1/reports/:reportId/replies',
  summary: 'A reply to the person who sent the report, with a new status where one is given (BUG-9)',
  access,
  params: oneReport,
  body: z.strictObject({ ...sentMessage, status: z.optional(reportStatus) }),
  answer: fullReport,
  status: 201,
});

export const addNote = route({
  method: 'POST',
  path: '/v1/reports/:reportId/notes',
  summary: 'An internal note, which the reporter never sees (BUG-8)',
  access,
  params: oneReport,
  body: z.strictObject(sentMessage),
  answer: fullReport,
  status: 201,
});

export const editNote = route({
  method: 'PUT',
  path: '/v1/reports/:reportId/notes/:messageId',
  summary: 'Changes a note, which its author alone may (BUG-8)',
  access,
  params: oneNote,
  body: z.strictObject({ text: messageText }),
  answer: fullReport,
});

export const removeNote = route({
  method: 'DELETE',
  path: '/v1/reports/:reportId/notes/:messageId',
  summary: 'Removes a note, which its author alone may (BUG-8)',
  access,
  params: oneNote,
  answer: fullReport,
});

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
