import * as z from 'zod/mini';
import { eventId, cleanLine, id, instant, line, version } from '#contract/text.ts';
import { reportContext, reportForm } from './feedback.ts';
import { liveList } from '#contract/live-list.ts';
import { assignee, peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { reportMessage } from './messages.ts';
import { pageOfReports, reportStatus, storedPicture } from './own-reports.ts';

/** The inbox: new reports, replies and changes reach the browsers of everyone who reads it. */
export const reportInbox = liveList({ list: 'reports', receivers: { right: 'REPORTS_READ' } });

export const setReportForm = route({
  method: 'PUT',
  path: '/v1/feedback/form',
  summary: 'Sets which fields a bug report has to have, at once and in every open form (BUG-2)',
  access: { right: 'SETTINGS_WRITE' },
  body: z.strictObject({ ...reportForm.shape }),
  answer: reportForm,
});

export const labelLimits = {
  /** Characters of one label. */
  characters: 50,
  /** Labels of one report. */
  each: 20,
  /** Different labels altogether. */
  all: 500,
} as const;

/** Labels are compared without case and accents, and shown as they were first written. */
export const reportLabel = line(1, labelLimits.characters);

/**
 * The parts of the inbox: `open` (new, triaged, in progress), `mine` (of these, what is assigned to the
 * caller), `snoozed` (open, but hidden until a time), `done` (resolved, closed, duplicate), `spam`.
 */
export const reportTab = z.enum(['open', 'mine', 'snoozed', 'done', 'spam']);
export type ReportTab = z.infer<typeof reportTab>;

/** A report as lists show it. */
export const reportSummary = z.object({
  id,
  number: z.number(),
  /** The beginning of the message, on one line. */
  excerpt: z.string(),
  name: z.string(),
  email: z.string(),
  status: reportStatus,
  assignee: z.nullable(assignee),
  labels: z.array(z.string()),
  pictures: z.number(),
  /** The first picture. */
  picture: z.nullable(storedPicture),
  replies: z.number(),
  notes: z.number(),
  /** The side that wrote last: `reporter` until an operator replies, and again when the reporter replies. */
  lastWord: z.enum(['reporter', 'operator']),
  /** The report is snoozed for everyone until this time; a reply of its reporter ends the snooze earlier. */
  snoozedUntil: z.nullable(instant),
  createdAt: instant,
  /** The last change of anything: status, assignee, labels, replies, notes. */
  changedAt: instant,
  version,
});
export type ReportSummary = z.infer<typeof reportSummary>;

/** A report that another report refers to. */
export const relatedReport = z.object({ id, number: z.number(), excerpt: z.string(), status: reportStatus });
export type RelatedReport = z.infer<typeof relatedReport>;

const changed = {
  at: instant,
  /** The author, as in audit entries. */
  by: z.string(),
};

/** Once the person is erased, `id` is null and `name` is the pseudonym. */
const ofAssignee = z.nullable(z.object({ id: z.nullable(id), name: z.string() }));
const ofReport = z.nullable(z.object({ id, number: z.nullable(z.number()) }));

/** One change of a report; the first one is the initial status, with `before` null. */
export const reportChange = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('status'),
    ...changed,
    before: z.nullable(reportStatus),
    after: reportStatus,
  }),
  z.object({ what: z.literal('assignee'), ...changed, before: ofAssignee, after: ofAssignee }),
  z.object({
    what: z.literal('labels'),
    ...changed,
    before: z.array(z.string()),
    after: z.array(z.string()),
  }),
  z.object({
    what: z.literal('snoozed'),
    ...changed,
    before: z.nullable(instant),
    after: z.nullable(instant),
  }),
  /** `number` is null once that report is deleted. */
  z.object({ what: z.literal('duplicate'), ...changed, before: ofReport, after: ofReport }),
]);
export type ReportChange = z.infer<typeof reportChange>;

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
  /** The original of which this report is a duplicate. */
  duplicateOf: z.nullable(relatedReport),
  /** The latest duplicates of this report. */
  duplicates: z.array(relatedReport),
  /** Replies and notes, oldest first. */
  messages: z.array(reportMessage),
  /** How a reply reaches its reporter: on My reports, by mail, or neither. */
  replyReaches: z.array(z.enum(['my-reports', 'mail'])),
  history: z.array(reportChange),
  names: peopleNames,
});
export type FullReport = z.infer<typeof fullReport>;

const time = z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(8_640_000_000_000_000));

/** The filter of a list of reports; each field is optional. */
export const reportFilter = {
  /** Words; each must occur in message, name, email, address, replies or notes, or be the report's number. */
  search: z._default(cleanLine(0, 200), ''),
  tab: z.optional(reportTab),
  status: z.optional(reportStatus),
  /** A person's id, `current` for the caller, or `none`. */
  assignee: z.optional(id),
  /** The id of the signed-in person who sent the report. */
  reporter: z.optional(id),
  label: z.optional(reportLabel),
  /** The earliest and the latest time at which a report arrived. */
  from: z.optional(time),
  until: z.optional(time),
  pictures: z.optional(z.enum(['with', 'without'])),
  lastWord: z.optional(reportSummary.shape.lastWord),
};

export const reportOrder = z.enum(['newest', 'oldest', 'changed']);

export const listReports = route({
  method: 'GET',
  path: '/v1/reports',
  summary:
    'Reports by tab, words, status, assignee, label, time and pictures, with the counts of all tabs (BUG-8)',
  access: { right: 'REPORTS_READ' },
  query: z.object({ ...reportFilter, order: z._default(reportOrder, 'newest'), ...pageOfReports }),
  answer: z.object({
    reports: z.array(reportSummary),
    /** How many reports of each tab match the filter, whose own tab and status are ignored here. */
    tabs: z.record(reportTab, z.number()),
    /** The same reports by status; without snoozed ones if the filter's tab is `open`, only these if `snoozed`. */
    counts: z.record(reportStatus, z.number()),
    total: z.number(),
    next: z.nullable(z.string()),
  }),
});

export const getReport = route({
  method: 'GET',
  path: '/v1/reports/:reportId',
  summary: 'One report with its pictures, its conversation and its history (BUG-8)',
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
  summary: 'Deletes a report permanently, with its pictures, its conversation and its history (BUG-8)',
  access: { right: 'REPORTS_DELETE' },
  params: z.object({ reportId: id }),
  answer: 'nothing',
});

/** Pictures are links; the columns and fields are in docs/reports.md. */
export const exportReports = route({
  method: 'GET',
  path: '/v1/report-export',
  summary: 'What the filter finds, the newest first, with messages and labels, as CSV or JSON lines (BUG-8)',
  access: { right: 'REPORTS_READ' },
  query: z.object({ ...reportFilter, format: z._default(z.enum(['csv', 'jsonl']), 'csv') }),
  answer: { raw: 'text/csv' },
});
