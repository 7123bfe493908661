import * as z from 'zod/mini';
import { eventId, cleanLine, cleanProse, id, instant, version } from '#contract/text.ts';
import { route } from '#contract/route.ts';
import { emailAddress } from '#contract/email-address.ts';

/** What a report may hold: characters, pictures, bytes (BUG-6). */
export const feedbackLimits = {
  message: 4096,
  name: 200,
  tags: 50,
  pictures: 5,
  /** Bytes of the whole body, with the pictures in base64. */
  bodyBytes: 12 * 1024 * 1024,
  /** Bytes of one picture, unpacked from its base64. */
  pictureBytes: 8 * 1024 * 1024,
  /** Pixels of a picture on one side, and altogether. */
  pictureSide: 16_384,
  picturePixels: 50_000_000,
  /** Bytes of all pictures together from people who are not signed in. */
  anonymousBytes: 2 * 1024 * 1024 * 1024,
  /** Bytes of pictures from one address within a day, from people who are not signed in. */
  anonymousBytesEach: 50 * 1024 * 1024,
  /** Bytes of report texts from people who are not signed in: of all, and from one network within a day. */
  anonymousTextBytes: 256 * 1024 * 1024,
  anonymousTextBytesEach: 8 * 1024 * 1024,
} as const;

/** How much of what a page has recorded is attached to a report (BUG-7). */
export const contextLimits = {
  errors: 20,
  failedCalls: 20,
  breadcrumbs: 50,
  /** Characters of a path or a call, of the name of what was pressed, and of a message. */
  breadcrumbPath: 200,
  breadcrumbName: 100,
  breadcrumbText: 200,
  flags: 200,
  flagValue: 100,
  rights: 200,
  /** Characters of the whole context as JSON. */
  characters: 32_768,
} as const;

/** The outcome of a call: the status (0: no answer), and what the server answered. */
const callOutcome = {
  status: z.optional(z.int().check(z.minimum(0), z.maximum(599))),
  /** The problem's code, such as `INTERNAL`. */
  code: z.optional(cleanLine(0, 64)),
  /** The id of the call in the server's log. */
  requestId: z.optional(cleanLine(0, 100)),
};

/** An error that the page recorded. It holds no message, since a message may contain what a person typed. */
export const reportedError = z.strictObject({
  id: eventId,
  /** By the person's clock. */
  at: instant,
  /** What was being done, such as `profile.load`. */
  what: cleanLine(1, 64),
  /** The screen by its path, parameters by their names: `/people/$personId/data`. */
  screen: z.optional(cleanLine(0, 200)),
  /** The kind of error, such as `TypeError`. */
  kind: z.optional(cleanLine(0, 64)),
  /** Where in the application's scripts it was thrown: `main-1a2b.js:1:2345`. */
  script: z.optional(cleanLine(0, 200)),
  ...callOutcome,
});
export type ReportedError = z.infer<typeof reportedError>;

/** A call to the server that failed. */
export const failedCall = z.strictObject({
  at: instant,
  /** Method and path, parameters by their names: `GET /v1/users/:userId/profile`. */
  call: cleanLine(1, 200),
  ...callOutcome,
});
export type FailedCall = z.infer<typeof failedCall>;

const breadcrumbAt = {
  /** By the person's clock; for a repeated step, the time of its first occurrence. */
  at: instant,
  /** How often the step happened in a row; omitted: once. */
  count: z.optional(z.int().check(z.minimum(2), z.maximum(9999))),
};

/** A step before a report: what the person did, and what went wrong then. */
export const breadcrumb = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('navigation'),
    ...breadcrumbAt,
    /** The screen by its path, parameters by their names or masked; no query, no fragment. */
    path: cleanLine(1, contextLimits.breadcrumbPath),
  }),
  z.strictObject({
    kind: z.literal('click'),
    ...breadcrumbAt,
    /** The ARIA role of the clicked element: `button`, `link`. */
    role: cleanLine(1, 64),
    /** The element's accessible name, scrubbed; empty where that may hold personal data. Never a field's value. */
    name: cleanLine(0, contextLimits.breadcrumbName),
  }),
  z.strictObject({
    kind: z.literal('call'),
    ...breadcrumbAt,
    /** Method and path of a call that failed, as in `failedCall`. */
    call: cleanLine(1, contextLimits.breadcrumbPath),
    ...callOutcome,
  }),
  z.strictObject({
    kind: z.literal('console'),
    ...breadcrumbAt,
    level: z.enum(['error', 'warning']),
    /** The scrubbed message. Of other logged values it holds only the kind and message of errors. */
    text: cleanLine(1, contextLimits.breadcrumbText),
  }),
]);
export type Breadcrumb = z.infer<typeof breadcrumb>;

const reportedFlag = z.strictObject({ key: cleanLine(1, 100), value: cleanLine(0, contextLimits.flagValue) });

/** The context of the report; each part may be left out (BUG-7). */
const contextParts = z.strictObject({
  /** Address of the page on which the report was sent, if `url` is another page: the one in the picture. */
  sentFrom: z.optional(cleanLine(0, 2048)),
  release: z.optional(cleanLine(0, 200)),
  /** The browser's user agent. */
  browser: z.optional(cleanLine(0, 500)),
  /** CSS pixels and device pixels for each of them: `1280 × 720 @2`. */
  viewport: z.optional(cleanLine(0, 50)),
  language: z.optional(cleanLine(0, 50)),
  timeZone: z.optional(cleanLine(0, 100)),
  /** When the person pressed send, by the person's clock. */
  time: z.optional(instant),
  /** The steps before the report, newest last. */
  breadcrumbs: z.optional(z.array(breadcrumb).check(z.maxLength(contextLimits.breadcrumbs))),
  /** The page's last errors and failed calls, newest last. The web sends failed calls as breadcrumbs. */
  errors: z.optional(z.array(reportedError).check(z.maxLength(contextLimits.errors))),
  failedCalls: z.optional(z.array(failedCall).check(z.maxLength(contextLimits.failedCalls))),
  /** The flags as the person had them, each value as text. */
  flags: z.optional(z.array(reportedFlag).check(z.maxLength(contextLimits.flags))),
  rights: z.optional(z.array(cleanLine(1, 100)).check(z.maxLength(contextLimits.rights))),
});

export const reportContext = contextParts.check(
  z.refine((context) => JSON.stringify(context).length <= contextLimits.characters, 'is too large'),
);
export type ReportContext = z.infer<typeof reportContext>;

/** A picture as it is sent (BUG-3). Its type is read from its bytes: always png. */
export const sentPicture = z.strictObject({
  /** Base64 (RFC 4648, 4), padded. */
  data: z.string().check(z.minLength(1)),
  filename: z.string().check(z.maxLength(1000)),
  contentType: z.string().check(z.maxLength(200)),
});

export const report = z.strictObject({
  name: z._default(cleanLine(0, feedbackLimits.name), ''),
  /** Empty: not given. */
  email: z._default(z.union([z.string().check(z.trim(), z.maxLength(0)), emailAddress]), ''),
  message: cleanProse(1, feedbackLimits.message),
  /** `widget` for the dialog. */
  source: z._default(cleanLine(0, 64), 'api'),
  tags: z
    ._default(z.record(cleanLine(1, 64), cleanLine(0, 200)), {})
    .check(z.refine((tags) => Object.keys(tags).length <= feedbackLimits.tags, 'has too many entries')),
  /** Address of the page that the report is about. */
  url: z._default(cleanLine(0, 2048), ''),
  /** The id of the error that the report is about, as in `context.errors` and diagnostics. */
  associatedEventId: z.optional(eventId),
  eventId: z.optional(eventId),
  attachments: z._default(z.array(sentPicture).check(z.maxLength(feedbackLimits.pictures)), []),
  context: z._default(reportContext, {}),
});
/** A report as a client gives it to `saveFeedback`. */
export type SentReport = z.input<typeof report>;

/** The problem of a report whose message is missing, or has no visible character (BUG-2). */
export const emptyMessage = 'Unable to submit feedback with empty message';

export const saveFeedback = route({
  method: 'POST',
  path: '/v1/feedback',
  summary: 'Stores a bug report with its pictures; answers once it is on disk (BUG-6)',
  access: 'signed-in-or-allowed',
  closed: 'open',
  hosts: true,
  body: report,
  bodyLimit: feedbackLimits.bodyBytes,
  answer: z.object({
    id,
    /** Counted from 1 in this installation, for people to refer to. */
    number: z.number(),
  }),
  status: 201,
});

/** Fields required besides the description (BUG-2); if one is missing, the server answers FIELDS_REQUIRED. */
export const reportForm = z.object({ nameRequired: z.boolean(), emailRequired: z.boolean(), version });
export type ReportForm = z.infer<typeof reportForm>;

export const getReportForm = route({
  method: 'GET',
  path: '/v1/feedback/form',
  summary: 'Which fields a bug report has to have besides its message (BUG-2); for whoever may send one',
  access: 'signed-in-or-allowed',
  closed: 'open',
  hosts: true,
  answer: reportForm,
});
