import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { emailAddress } from '#contract/email-address.ts';
import { version } from '#contract/text.ts';

export const diagnosticSettings = z.object({
  /** Events older than `eventDays` are removed, and the oldest events while all take more than `eventMegabytes`. */
  eventDays: z.int().check(z.minimum(1), z.maximum(3_650)),
  eventMegabytes: z.int().check(z.minimum(10), z.maximum(1_000_000)),
  /** Whether a new error raises an alert, and whether a resolved error that occurs again does. */
  alertNew: z.boolean(),
  alertReturned: z.boolean(),
  /** An error with `alertEvents` events within `alertMinutes` raises an alert; null: no such alert. */
  alertEvents: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  alertMinutes: z.int().check(z.minimum(1), z.maximum(1_440)),
  /** The addresses that alerts are mailed to. Webhooks receive alerts in any case. */
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
