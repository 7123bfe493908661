import * as z from 'zod/mini';
import { auditActions } from '#contract/features.ts';
import { route } from '#contract/route.ts';
import { cleanLine, id, instant, line } from '#contract/text.ts';

export type AuditAction = keyof typeof auditActions;
export type AuditSubjectKind = (typeof auditActions)[AuditAction];

/** What a row of the audit is about, and where a screen shows it. */
export const auditSubjectKind = z.enum([...new Set(Object.values(auditActions))]);

/** How it was done: through the console, an API token, the command line, the server start, or a ramp's guard. */
export const auditThrough = z.enum(['person', 'token', 'command-line', 'start', 'guard']);
export type AuditThrough = z.infer<typeof auditThrough>;

/** One write of an operator. */
export const auditEntry = z.object({
  id,
  at: instant,
  through: auditThrough,
  /**
   * What the client calls itself, such as `Firefox 150` on `Windows` or `curl 8.5`; null for what no request
   * of a client led to, and for entries of before this was recorded.
   */
  client: z.nullable(z.object({ program: z.string(), system: z.nullable(z.string()) })),
  actor: z.object({
    /** The id of the person or token; null where neither did it, such as for the command line. */
    id: z.nullable(z.string()),
    /** The name at the time of the action: an email address, a token's name, a user of the system. */
    name: z.string(),
    /** The present name of the person; null where there is none. */
    nameNow: z.nullable(z.string()),
  }),
  /** One of `auditActions`; another release may have known others. */
  action: z.string(),
  subject: z.object({
    kind: z.nullable(auditSubjectKind),
    /** An id, or a flag's key. */
    id: z.string(),
    /** What it is called now, or was called when it was removed; null where that is not known. */
    nameNow: z.nullable(z.string()),
    /** Whether the subject still exists and can be shown. */
    there: z.boolean(),
  }),
  /** JSON; null where there was nothing. */
  before: z.unknown(),
  after: z.unknown(),
  /** Whether a list left out `before` and `after` of a long entry; reading that entry alone returns them. */
  cut: z.boolean(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const access = { right: 'AUDIT_READ' } as const;

const time = z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(8_640_000_000_000_000));

const filter = {
  /** Words, each of which has to occur in the actor, the subject, `before` or `after`. */
  search: z._default(cleanLine(0, 200), ''),
  /** The id of a person or token, or the name that the entry has. */
  actor: z.optional(line(1, 254)),
  action: z.optional(z.string().check(z.regex(/^[a-z-]{1,60}\.[a-z-]{1,60}$/))),
  /** The part of an action before the dot. */
  area: z.optional(z.string().check(z.regex(/^[a-z-]{1,60}$/))),
  subject: z.optional(line(1, 300)),
  /** The id of a person or token: selects what they did and what was done to them. */
  about: z.optional(id),
  through: z.optional(auditThrough),
  /** Milliseconds since the epoch; `from` and `until` are both included. */
  from: z.optional(time),
  until: z.optional(time),
};

export const listAudit = route({
  method: 'GET',
  path: '/v1/audit',
  summary: 'Who changed what, the latest first (AUD-1)',
  access,
  query: z.object({
    ...filter,
    /** The `next` of the previous page. */
    cursor: z.optional(z.string().check(z.maxLength(1000))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
  }),
  answer: z.object({
    entries: z.array(auditEntry),
    /** A page may hold fewer entries, even none, where many were searched: `next` continues from there. */
    next: z.nullable(z.string()),
    /** The time of the last entry that was searched; null: the beginning of the audit. */
    lookedBackTo: z.nullable(instant),
  }),
});

export const getAuditEntry = route({
  method: 'GET',
  path: '/v1/audit/:entryId',
  summary: 'One entry of the audit, whole (AUD-1)',
  access,
  params: z.object({ entryId: id }),
  answer: auditEntry,
});

export const exportAudit = route({
  method: 'GET',
  path: '/v1/audit/export',
  summary:
    'What the filter finds, the latest first, as CSV or JSON lines; `X-Time-Offset` adds local times (AUD-1)',
  access,
  query: z.object({ ...filter, format: z._default(z.enum(['csv', 'jsonl']), 'csv') }),
  answer: { raw: 'text/csv' },
});
