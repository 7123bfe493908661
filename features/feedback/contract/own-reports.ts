import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

export const reportStatus = z.enum([
  'new',
  'triaged',
  'in-progress',
  'resolved',
  'closed',
  'duplicate',
  'spam',
]);
export type ReportStatus = z.infer<typeof reportStatus>;

/** A stored picture; a request to `url` needs the bearer token. */
export const storedPicture = z.object({
  id,
  filename: z.string(),
  size: z.number(),
  /** Pixels. */
  width: z.number(),
  height: z.number(),
  url: z.string(),
});
export type StoredPicture = z.infer<typeof storedPicture>;

/** How a list of reports is requested page by page. */
export const pageOfReports = {
  /** From `next` of the page before. */
  cursor: z.optional(z.string().check(z.maxLength(1000))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
};

/** A reply as the report's sender reads it (BUG-9). */
export const ownReply = z.object({
  id,
  from: z.enum(['reporter', 'operator']),
  /** The operator's full name; null if no name can be shown: the team is then named instead. */
  by: z.nullable(z.string()),
  text: z.string(),
  at: instant,
});
export type OwnReply = z.infer<typeof ownReply>;

/**
 * A report as its sender sees it (BUG-9): its status, its history without the names of operators, and the
 * replies. Notes, labels, assignee and spam stay with the operators.
 */
export const ownReport = z.object({
  id,
  number: z.number(),
  excerpt: z.string(),
  message: z.string(),
  status: reportStatus,
  url: z.string(),
  createdAt: instant,
  changedAt: instant,
  attachments: z.array(storedPicture),
  history: z.array(z.object({ at: instant, status: reportStatus })),
  /** Oldest first. Lists of reports contain only the latest replies (`conversationLimits`). */
  replies: z.array(ownReply),
  /** The number of all replies. */
  replyCount: z.number(),
});
export type OwnReport = z.infer<typeof ownReport>;

export const listOwnReports = route({
  method: 'GET',
  path: '/v1/users/:userId/reports',
  summary: "A person's own reports, the newest first (BUG-9); `current` is the caller",
  access: { self: 'userId', orRight: 'REPORTS_READ' },
  params: z.object({ userId: id }),
  query: z.object(pageOfReports),
  answer: z.object({ reports: z.array(ownReport), total: z.number(), next: z.nullable(z.string()) }),
});
