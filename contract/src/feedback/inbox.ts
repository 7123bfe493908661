import * as z from 'zod/mini';
import { eventId, reportContext, reportForm } from '../feedback.ts';
import { pageOfReports, reportStatus, storedPicture } from './own-reports.ts';
import { peopleNames } from '../people/names.ts';
import { route } from '../route.ts';
import { cleanLine, id, instant, version } from '../text.ts';

export const setReportForm = route({
  method: 'PUT',
  path: '/v1/feedback/form',
  summary: 'Sets which fields a bug report has to have, at once and in every open form (BUG-2)',
  access: { right: 'SETTINGS_WRITE' },
  body: z.strictObject({ ...reportForm.shape }),
  answer: reportForm,
});

/** A report as lists show it. */
export const reportSummary = z.object({
  id,
  number: z.number(),
  /** The beginning of the message, on one line. */
  excerpt: z.string(),
  name: z.string(),
  email: z.string(),
  status: reportStatus,
  pictures: z.number(),
  createdAt: instant,
  changedAt: instant,
});
export type ReportSummary = z.infer<typeof reportSummary>;

/** One change of status; the first has no `before`. */
export const statusChange = z.object({
  at: instant,
  before: z.nullable(reportStatus),
  after: reportStatus,
  /** Who did it, as audit rows show it. */
  by: z.string(),
});

/** A report as an operator reads it. */
export const fullReport = z.object({
  ...reportSummary.shape,
  message: z.string(),
  source: z.string(),
  url: z.string(),
  tags: z.record(z.string(), z.string()),
  context: reportContext,
  eventId,
  associatedEventId: z.nullable(eventId),
  /** The signed-in person who sent it, or null. */
  reporterId: z.nullable(id),
  attachments: z.array(storedPicture),
  history: z.array(statusChange),
  names: peopleNames,
  version,
});
export type FullReport = z.infer<typeof fullReport>;

export const listReports = route({
  method: 'GET',
  path: '/v1/reports',
  summary: 'Reports, the newest first, by words in message, name, e-mail and address, and by status (BUG-8)',
  access: { right: 'REPORTS_READ' },
  query: z.object({
    search: z._default(cleanLine(0, 200), ''),
    status: z.optional(reportStatus),
    order: z._default(z.enum(['newest', 'oldest']), 'newest'),
    ...pageOfReports,
  }),
  answer: z.object({
    reports: z.array(reportSummary),
    /** How many there are in each status among those that the search finds. */
    counts: z.record(reportStatus, z.number()),
    total: z.number(),
    next: z.nullable(z.string()),
  }),
});

export const getReport = route({
  method: 'GET',
  path: '/v1/reports/:reportId',
  summary: 'One report with its pictures and its history (BUG-8)',
  access: { right: 'REPORTS_READ' },
  params: z.object({ reportId: id }),
  answer: fullReport,
});

export const setReportStatus = route({
  method: 'PUT',
  path: '/v1/reports/:reportId/status',
  summary: 'Changes the status of a report; the change stands in its history (BUG-8)',
  access: { right: 'REPORTS_WRITE' },
  params: z.object({ reportId: id }),
  body: z.strictObject({ status: reportStatus, version }),
  answer: fullReport,
});

export const deleteReport = route({
  method: 'DELETE',
  path: '/v1/reports/:reportId',
  summary: 'Deletes a report for good, with its pictures and its history (BUG-8)',
  access: { right: 'REPORTS_DELETE' },
  params: z.object({ reportId: id }),
  answer: 'nothing',
});
