import * as z from 'zod/mini';
import { profileLocale } from '#features/profile/contract/profile.ts';
import { route } from '#contract/route.ts';
import { emailAddress } from '#contract/email-address.ts';
import { version } from '#contract/text.ts';

/** Addresses that receive mail about reports. */
export const mostNotified = 20;

/** `https:` or `http:`, without user, query or fragment. */
const address = z
  .string()
  .check(
    z.trim(),
    z.maxLength(500),
    z.regex(
      /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
      'is not an address such as https://github.com/owner/name',
    ),
  );

/** A numeric id in Jira's addresses. */
const jiraNumber = z.string().check(z.regex(/^\d{1,18}$/, 'is not a number'));

/** The tracker in which an operator creates a new issue about a report (`newIssueAddress`). */
export const issueTracker = z.discriminatedUnion('kind', [
  /** The address of the repository: `https://github.com/owner/name`. */
  z.strictObject({ kind: z.literal('github'), address }),
  /** The address of the project: `https://gitlab.com/group/name`. */
  z.strictObject({ kind: z.literal('gitlab'), address }),
  /** The address of the site, and the numbers of project and kind of issue (`pid` and `issuetype`). */
  z.strictObject({ kind: z.literal('jira'), address, project: jiraNumber, issueType: jiraNumber }),
]);
export type IssueTracker = z.infer<typeof issueTracker>;

const fields = {
  /** Addresses that receive mail about new reports and replies of reporters. */
  notified: z.array(emailAddress).check(z.maxLength(mostNotified)),
  /** The language of mail to addresses that belong to no person of this installation. */
  language: profileLocale,
  tracker: z.nullable(issueTracker),
};

export const reportSettings = z.object({
  ...fields,
  /** Whether this installation sends mail. */
  mail: z.boolean(),
  version,
});
export type ReportSettings = z.infer<typeof reportSettings>;

const access = { right: 'SETTINGS_WRITE' } as const;

export const getReportSettings = route({
  method: 'GET',
  path: '/v1/feedback/settings',
  summary: 'Who receives mail about reports, and the issue tracker (BUG-8)',
  access,
  answer: reportSettings,
});

export const setReportSettings = route({
  method: 'PUT',
  path: '/v1/feedback/settings',
  summary: 'Sets who receives mail about reports, and the issue tracker (BUG-8)',
  access,
  body: z.strictObject({ ...fields, version }),
  answer: reportSettings,
});

export const getIssueTracker = route({
  method: 'GET',
  path: '/v1/feedback/issue-tracker',
  summary: 'The issue tracker in which new issues about reports are begun, for whoever reads them (BUG-8)',
  access: { right: 'REPORTS_READ' },
  answer: z.object({ tracker: z.nullable(issueTracker) }),
});
