import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { emailAddress } from '#contract/email-address.ts';
import { version } from '#contract/text.ts';

export const diagnosticSettings = z.object({
  /** Events older than so many days are removed, and the oldest above so many megabytes. */
  eventDays: z.int().check(z.minimum(1), z.maximum(3_650)),
  eventMegabytes: z.int().check(z.minimum(10), z.maximum(1_000_000)),
  /** An alert for an error that is new, and for one that comes back after it was resolved. */
  alertNew: z.boolean(),
  alertReturned: z.boolean(),
  /** An alert when an error comes so often within so many minutes; null: none. */
  alertEvents: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  alertMinutes: z.int().check(z.minimum(1), z.maximum(1_440)),
  /** Where alerts are mailed to. Webhooks receive them in any case. */
  alertMails: z.array(emailAddress).check(z.maxLength(20)),
  version,
});
export type DiagnosticSettings = z.infer<typeof diagnosticSettings>;

const access = { right: 'SETTINGS_WRITE' } as const;

const answer = z.object({
  ...diagnosticSettings.shape,
  /** What is stored now, estimated. */
  stored: z.object({ events: z.number(), bytes: z.number() }),
  /** Whether a mail server is set up. */
  mails: z.boolean(),
});

export const getDiagnosticSettings = route({
  method: 'GET',
  path: '/v1/diagnostics/settings',
  summary: 'How long errors are stored, and when they raise an alert (DIAG-2)',
  access,
  answer,
});

export const setDiagnosticSettings = route({
  method: 'PUT',
  path: '/v1/diagnostics/settings',
  summary: 'Sets how long errors are stored, and when they raise an alert (DIAG-2)',
  access,
  body: z.strictObject({ ...diagnosticSettings.shape }),
  answer,
});
