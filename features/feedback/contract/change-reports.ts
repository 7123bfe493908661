import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { assigneeSearch, foundAssignees } from '#features/people/contract/names.ts';
import { id, instant, version } from '#contract/text.ts';
import { fullReport, labelLimits, reportLabel } from './inbox.ts';
import { reportStatus } from './own-reports.ts';

/** Reports that one call may change. */
export const mostAtOnce = 200;

const labels = z.array(reportLabel).check(z.maxLength(labelLimits.each));

/** The values to set; omitted fields stay as they are. */
const wanted = {
  /** A status other than `duplicate` also removes the link to the original. */
  status: z.optional(reportStatus),
  /** A person who may change reports; null: none. */
  assigneeId: z.optional(z.nullable(id)),
  /** Replaces all labels of the report. */
  labels: z.optional(labels),
  addLabels: z.optional(labels),
  removeLabels: z.optional(labels),
  /**
   * The original of this report; null: none. An id also sets the status `duplicate`. If that report is a
   * duplicate itself, its original is used.
   */
  duplicateOf: z.optional(z.nullable(id)),
  /** The time until which the report is snoozed; null or a time in the past ends the snooze. */
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

/** The fields of a report before a change; a client sends them with the new version to undo the change. */
export const reportBefore = z.object({
  status: reportStatus,
  assigneeId: z.nullable(id),
  labels: z.array(z.string()),
  duplicateOf: z.nullable(id),
  snoozedUntil: z.nullable(instant),
});
export type ReportBefore = z.infer<typeof reportBefore>;

/** Changes each report separately; reports that have changed since stay as they are, listed in `refused`. */
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
