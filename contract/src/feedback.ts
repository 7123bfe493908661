import * as z from 'zod/mini';
import { route } from './route.ts';
import { cleanLine, cleanProse, emailAddress, id, instant, version } from './text.ts';

/** What a report may hold: characters, pictures, bytes (BUG-6). */
export const feedbackLimits = {
  message: 4096,
  name: 200,
  tags: 50,
  pictures: 5,
  /** The whole body, the pictures in base64. */
  bodyBytes: 12 * 1024 * 1024,
  /** Bytes of one picture, unpacked from its base64. */
  pictureBytes: 8 * 1024 * 1024,
  /** Pixels of a picture on one side, and altogether. */
  pictureSide: 16_384,
  picturePixels: 50_000_000,
  /** Bytes of all pictures together from people who are not signed in. */
  anonymousBytes: 2 * 1024 * 1024 * 1024,
  /** Bytes of their pictures from one address within a day. */
  anonymousBytesEach: 50 * 1024 * 1024,
} as const;

/** The client's own id of a report, as Sentry's SDKs make them: 32 hexadecimal digits. Sending it again stores nothing new. */
export const eventId = z.string().check(z.regex(/^[0-9a-f]{32}$/));

/** Where things stood when it was reported; each part may be left out (BUG-7). */
export const reportContext = z.strictObject({
  release: z.optional(cleanLine(0, 200)),
  /** The browser's user agent. */
  browser: z.optional(cleanLine(0, 500)),
  /** CSS pixels and device pixels for each of them: `1280 × 720 @2`. */
  viewport: z.optional(cleanLine(0, 50)),
  language: z.optional(cleanLine(0, 50)),
  timeZone: z.optional(cleanLine(0, 100)),
  /** When the person pressed send, by the person's clock. */
  time: z.optional(instant),
});
export type ReportContext = z.infer<typeof reportContext>;

/** A picture as it is sent (BUG-3). What it is, its bytes say: always png, whatever `contentType` claims. */
export const sentPicture = z.strictObject({
  /** Base64 (RFC 4648, 4), padded. */
  data: z.string().check(z.minLength(1)),
  filename: z.string().check(z.maxLength(1000)),
  contentType: z.string().check(z.maxLength(200)),
});

export const report = z.strictObject({
  name: z._default(cleanLine(0, feedbackLimits.name), ''),
  /** Empty: not given. */
  email: z._default(z.union([z.literal(''), emailAddress]), ''),
  message: cleanProse(1, feedbackLimits.message),
  /** `widget` for the dialog. */
  source: z._default(cleanLine(0, 64), 'api'),
  tags: z
    ._default(z.record(cleanLine(1, 64), cleanLine(0, 200)), {})
    .check(z.refine((tags) => Object.keys(tags).length <= feedbackLimits.tags, 'has too many entries')),
  /** Address of the page it is about. */
  url: z._default(cleanLine(0, 2048), ''),
  /** The diagnostic event that it tells about. */
  associatedEventId: z.optional(eventId),
  eventId: z.optional(eventId),
  attachments: z._default(z.array(sentPicture).check(z.maxLength(feedbackLimits.pictures)), []),
  context: z._default(reportContext, {}),
});
/** A report as a client gives it to `saveFeedback`. */
export type SentReport = z.input<typeof report>;

export const saveFeedback = route({
  method: 'POST',
  path: '/v1/feedback',
  summary: 'Stores a bug report with its pictures; answers once it is on disk (BUG-6)',
  access: 'signed-in-or-allowed',
  closed: 'open',
  body: report,
  bodyLimit: feedbackLimits.bodyBytes,
  answer: z.object({
    id,
    /** Counted from 1 in this installation, for people to speak of. */
    number: z.number(),
  }),
  status: 201,
});

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

/** A stored picture; `url` takes the bearer. */
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
  version,
});
export type FullReport = z.infer<typeof fullReport>;

const pageOfReports = {
  /** From `next` of the page before. */
  cursor: z.optional(z.string().check(z.maxLength(1000))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
};

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
    /** How many there are in each status among those that the words fit. */
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

/** A report as the one who sent it sees it: what became of it, without who did what (BUG-9). */
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
