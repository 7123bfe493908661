import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { assigneeSearch, foundAssignees } from '#features/people/contract/names.ts';
import { id, instant, version } from '#contract/text.ts';
import { fullReport, labelLimits, reportLabel } from './inbox.ts';
import { reportStatus } from './own-reports.ts';

/** Reports that one call may change. */
export const mostAtOnce = 200;

const labels = z.array(reportLabel).check(z.maxLength(labelLimits.each));

/** What to set; what is left out stays. */
const wanted = {
  /** Any other status than `duplicate` also removes what it is a duplicate of. */
  status: z.optional(reportStatus),
  /** A person who may change reports; null: none. */
  assigneeId: z.optional(z.nullable(id)),
  /** All labels of the report, in place of those that it has. */
  labels: z.optional(labels),
  addLabels: z.optional(labels),
  removeLabels: z.optional(labels),
  /**
   * The report of which it is a duplicate, which also sets that status; null: none. Of a report that is a
   * duplicate itself, the one that that one is a duplicate of.
   */
  duplicateOf: z.optional(z.nullable(id)),
  /** Until when it is out of the open ones; null or a time that has passed: it is among them. */
  snoozedUntil: z.optional(z.nullable(instant)),
};

export const changeReport = route({
  method: 'PUT',
  path: '/v1/reports/:reportId',
  summary:
    'Changes status, assignee, labels, the duplicate link or the snooze of a report; each stands in its history (BUG-8)',
  access: { right: 'REPORTS_WRITE' },
  params: z.object({ reportId: id }),
  body: z.strictObject({ ...wanted, version }),
  answer: fullReport,
});

/** What a report was before a change: sent back with the new version, it undoes the change. */
export const reportBefore = z.object({
  status: reportStatus,
  assigneeId: z.nullable(id),
  labels: z.array(z.string()),
  duplicateOf: z.nullable(id),
  snoozedUntil: z.nullable(instant),
});
export type ReportBefore = z.infer<typeof reportBefore>;

/** Each report on its own: those that have changed since are left alone and reported. */
export const changeReports = route({
  method: 'POST',
  path: '/v1/report-changes',
  summary:
    'Changes up to 200 reports, each against its version; answers what each was, for undoing it (BUG-8)',
  access: { right: 'REPORTS_WRITE' },
  body: z.strictObject({
    changes: z
      .array(z.strictObject({ reportId: id, ...wanted, version }))
      .check(z.minLength(1), z.maxLength(mostAtOnce)),
  }),
  bodyLimit: 1024 * 1024,
  answer: z.object({
    changed: z.array(z.object({ reportId: id, version, before: reportBefore })),
    refused: z.array(
      z.object({
        reportId: id,
        /** The problem's code: VERSION_CONFLICT, NOT_FOUND, CONFLICT or INVALID_BODY. */
        code: z.string(),
      }),
    ),
  }),
});

export const listReportLabels = route({
  method: 'GET',
  path: '/v1/report-labels',
  summary: 'The labels that reports have, each with how many have it, by name (BUG-8)',
  access: { right: 'REPORTS_READ' },
  answer: z.array(z.object({ label: z.string(), reports: z.number() })),
});

export const listAssignees = route({
  method: 'GET',
  path: '/v1/report-assignees',
  summary: 'People to whom reports can be assigned: who may change them and is not blocked, by name (BUG-8)',
  access: { right: 'REPORTS_READ' },
  query: assigneeSearch,
  answer: foundAssignees,
});
