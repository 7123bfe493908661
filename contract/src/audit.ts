import * as z from 'zod/mini';
import { route } from './route.ts';
import { cleanLine, id, instant, line } from './text.ts';

/** What a row of the audit is about, and where a screen shows it. */
export const auditSubjectKind = z.enum([
  'person',
  'flag',
  'maintenance',
  'maintenance-window',
  'report',
  'report-form',
  'report-filter',
  'report-settings',
  'webhook',
  'api-token',
  'client-key',
  'right',
  'role',
  'group-mapping',
  'branding',
  'signing-keys',
  'retention',
  'error',
  'diagnostics-project',
  'diagnostics',
  'source-maps',
  'map-layer',
  'map-workspace',
  'map-order',
  'home-app',
  'home-order',
  'database',
]);
export type AuditSubjectKind = z.infer<typeof auditSubjectKind>;

/**
 * Every action that the audit knows, as `<area>.<verb>`, and what it is done to (AUD-1). An action that is
 * added here needs its words in the catalogues of the web: `AUDIT.SAYS.<ACTION>`.
 */
export const auditActions = {
  'api-token.create': 'api-token',
  'api-token.revoke': 'api-token',
  'backup.create': 'database',
  'backup.restore': 'database',
  'branding.update': 'branding',
  'client-key.create': 'client-key',
  'client-key.rename': 'client-key',
  'client-key.revoke': 'client-key',
  'database.log-missing': 'database',
  'diagnostics.set': 'diagnostics',
  'diagnostics-project.add-key': 'diagnostics-project',
  'diagnostics-project.create': 'diagnostics-project',
  'diagnostics-project.delete': 'diagnostics-project',
  'diagnostics-project.revoke-key': 'diagnostics-project',
  'diagnostics-project.update': 'diagnostics-project',
  'error.delete': 'error',
  'error.ignore': 'error',
  'error.reopen': 'error',
  'error.resolve': 'error',
  'files.sweep': 'database',
  'flag.create': 'flag',
  'flag.delete': 'flag',
  'flag.switch': 'flag',
  'flag.update': 'flag',
  'group-mapping.create': 'group-mapping',
  'group-mapping.delete': 'group-mapping',
  'group-mapping.update': 'group-mapping',
  'home-app.create': 'home-app',
  'home-app.delete': 'home-app',
  'home-app.update': 'home-app',
  'home-order.update': 'home-order',
  'invitation.accept': 'person',
  'maintenance.set': 'maintenance',
  'maintenance-window.cancel': 'maintenance-window',
  'maintenance-window.change': 'maintenance-window',
  'maintenance-window.end': 'maintenance-window',
  'maintenance-window.extend': 'maintenance-window',
  'maintenance-window.remove-text': 'maintenance-window',
  'maintenance-window.plan': 'maintenance-window',
  'maintenance-window.start': 'maintenance-window',
  'maintenance-window.warn': 'maintenance-window',
  'map-layer.delete': 'map-layer',
  'map-layer.update': 'map-layer',
  'map-order.update': 'map-order',
  'map-workspace.update': 'map-workspace',
  'operator.create': 'person',
  'operator.reset': 'person',
  'password.change': 'person',
  'person.await-relink': 'person',
  'person.block': 'person',
  'person.deny-right': 'person',
  'person.end-session': 'person',
  'person.erase': 'person',
  'person.export': 'person',
  'person.follow-email': 'person',
  'person.follow-groups': 'person',
  'person.grant-right': 'person',
  'person.invite': 'person',
  'person.password-link': 'person',
  'person.relink': 'person',
  'person.renew-invitation': 'person',
  'person.set-roles': 'person',
  'person.sign-out': 'person',
  'person.take-back-denial': 'person',
  'person.take-back-grant': 'person',
  'person.unblock': 'person',
  'profile.update': 'person',
  'report-filter.create': 'report-filter',
  'report-filter.delete': 'report-filter',
  'report-filter.update': 'report-filter',
  'report.assign': 'report',
  'report.delete': 'report',
  'report.duplicate': 'report',
  'report.edit-note': 'report',
  'report.expire': 'retention',
  'report.label': 'report',
  'report.note': 'report',
  'report.remove-note': 'report',
  'report.reply': 'report',
  'report.set-form': 'report-form',
  'report.set-notices': 'report-settings',
  'report.status': 'report',
  'retention.set': 'retention',
  'right.create': 'right',
  'right.delete': 'right',
  'right.update': 'right',
  'role.create': 'role',
  'role.delete': 'role',
  'role.update': 'role',
  'set-up.claim': 'person',
  'set-up.unattended': 'person',
  'signing-keys.rotate': 'signing-keys',
  'source-maps.delete': 'source-maps',
  'source-maps.upload': 'source-maps',
  'webhook.create': 'webhook',
  'webhook.delete': 'webhook',
  'webhook.redeliver': 'webhook',
  'webhook.test': 'webhook',
  'webhook.update': 'webhook',
} as const satisfies Record<string, AuditSubjectKind>;
export type AuditAction = keyof typeof auditActions;

/**
 * The way it was done: the console with a signed-in person, an API token, the command line, or the start
 * itself.
 */
export const auditThrough = z.enum(['person', 'token', 'command-line', 'start']);
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
    /** The person's or the token's; null for the command line and the start. */
    id: z.nullable(z.string()),
    /** As it was when it happened: an email address, a token's name, a user of the system. */
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
    /** Whether it is still there to be shown. */
    there: z.boolean(),
  }),
  /** JSON; null where there was nothing. */
  before: z.unknown(),
  after: z.unknown(),
  /** In lists `before` and `after` of long entries are left out; they come with the entry alone. */
  cut: z.boolean(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const access = { right: 'AUDIT_READ' } as const;

const time = z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(8_640_000_000_000_000));

const filter = {
  /** Words that each stand somewhere in the actor, the subject, before or after. */
  search: z._default(cleanLine(0, 200), ''),
  /** The id of a person or token, or the name that the entry has. */
  actor: z.optional(line(1, 254)),
  action: z.optional(z.string().check(z.regex(/^[a-z-]{1,60}\.[a-z-]{1,60}$/))),
  /** The part of an action before the dot. */
  area: z.optional(z.string().check(z.regex(/^[a-z-]{1,60}$/))),
  subject: z.optional(line(1, 300)),
  /** The id of a person or token: what they did, and what was done to them. */
  about: z.optional(id),
  through: z.optional(auditThrough),
  /** Milliseconds since the epoch; the first and the last that count. */
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
    /** From `next` of the page before. */
    cursor: z.optional(z.string().check(z.maxLength(1000))),
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
  }),
  answer: z.object({
    entries: z.array(auditEntry),
    /**
     * A page may hold fewer entries than asked for, even none, where many were searched: `next` continues
     * from there.
     */
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
