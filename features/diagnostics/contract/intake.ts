import * as z from 'zod/mini';
import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import { route } from '#contract/route.ts';

const mebibyte = 1024 * 1024;

/** Limits of an envelope (DIAG-2), in bytes where no other unit is named. */
export const intakeLimits = {
  /** As received: the largest report with its pictures, which compression does not make smaller, and some room. */
  envelope: feedbackLimits.bodyBytes + 2 * mebibyte,
  unpacked: 20 * mebibyte,
  /** One event or feedback as JSON. */
  event: 3 * mebibyte,
  /** The first line of the envelope, and that of each item. */
  header: 8 * 1024,
  items: 100,
} as const;

/** The code of a refusal; the answer has it next to the reason in words. */
export type IntakeRefusal =
  | 'KEY_REFUSED'
  | 'SIGN_IN_NEEDED'
  | 'BAD_ENVELOPE'
  | 'BAD_ENCODING'
  | 'TOO_LARGE'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE';

const ofProject = { params: z.object({ project: z.string().check(z.regex(/^\d{1,10}$/)) }) } as const;

const envelope = {
  method: 'POST',
  access: 'project-key',
  closed: 'open',
  bytes: true,
  bodyLimit: intakeLimits.envelope,
  answer: { raw: 'application/json' },
} as const;

/** The address that Sentry's SDKs send envelopes to. It ends with a slash. */
export const storeEnvelope = route({
  ...envelope,
  ...ofProject,
  path: '/api/:project/envelope/',
  summary: "Takes an envelope of a Sentry SDK; the project's key is in the query, a header or the envelope",
});

export const storeEnvelopeWithoutSlash = route({
  ...envelope,
  ...ofProject,
  path: '/api/:project/envelope',
  summary: 'The same, for those who leave out the last slash',
});

/** The address for SDKs that are older than envelopes. */
export const storeEvent = route({
  ...envelope,
  ...ofProject,
  path: '/api/:project/store/',
  summary: 'Takes one event of an older Sentry SDK',
});

export const storeEventWithoutSlash = route({
  ...envelope,
  ...ofProject,
  path: '/api/:project/store',
  summary: 'The same, for those who leave out the last slash',
});

/** Where browsers report what a page's Content-Security-Policy blocked: `report-uri` or `report-to`. */
export const storeSecurityReports = route({
  ...envelope,
  ...ofProject,
  path: '/api/:project/security/',
  summary: "Takes a browser's reports about the Content-Security-Policy of an application",
});

export const storeSecurityReportsWithoutSlash = route({
  ...envelope,
  ...ofProject,
  path: '/api/:project/security',
  summary: 'The same, for those who leave out the last slash',
});

/** The script that `Sentry.showReportDialog` adds to a page; its options are in the address. */
export const showReportDialog = route({
  method: 'GET',
  path: '/api/embed/error-page/',
  summary: 'The dialog of a Sentry SDK in which a person describes an error, as a script',
  access: 'project-key',
  closed: 'open',
  answer: { raw: 'text/javascript' },
});

export const storeDialogReport = route({
  ...envelope,
  path: '/api/embed/error-page/',
  summary: 'Stores what a person wrote in that dialog as a bug report about the error',
});

/**
 * The address for Portico's own pages: on their own origin, and on no blocklist. The person is
 * identified by the bearer token, or by the session cookie with the header X-Portico, if any.
 */
export const storeFaults = route({
  ...envelope,
  path: '/v1/faults',
  summary: 'Takes an envelope whose header names the DSN, as the `tunnel` of Sentry SDKs sends it',
});
