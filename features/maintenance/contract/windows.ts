import * as z from 'zod/mini';
import { maintenanceMode, severity, windowMode } from './maintenance.ts';
import { peopleNames } from '#features/people/contract/names.ts';
import { route } from '#contract/route.ts';
import { id, instant, line, prose, version } from '#contract/text.ts';
import { presentTimeZone } from '#contract/time-zones.ts';
import { moment } from '#contract/wall-time.ts';
import { longestNotice, windowTexts, writtenText } from './texts.ts';

/**
 * The phase of a window (MAINT-5), computed from the server's time. `scheduled`: nothing is shown yet.
 * `imminent`: its lead time runs, the notice counts down. `active`: it is in force. `overdue`: still in
 * force, past its planned end. `ended`, `cancelled`: over.
 */
export const windowPhase = z.enum(['scheduled', 'imminent', 'active', 'overdue', 'ended', 'cancelled']);
export type WindowPhase = z.infer<typeof windowPhase>;

const longestLeadMinutes = 10_080;

const windowFields = {
  title: line(1, 120),
  /** What people read in a phase that has no text of its own; blank: the title. */
  text: prose(0, longestNotice),
  /** What people read in each phase, in each language. */
  texts: windowTexts,
  severity,
  mode: windowMode,
  /** Minutes before the start from which on the notice counts down; at most a week. */
  leadMinutes: z.int().check(z.nonnegative(), z.maximum(longestLeadMinutes)),
  /** True: it ends at the planned end. False: it is overdue until an operator ends it. `announce` always ends. */
  endsByItself: z.boolean(),
};

export const maintenanceWindow = z.object({
  id,
  ...windowFields,
  startsAt: instant,
  endsAt: instant,
  /** The time zone in which the window was planned, where one was given. */
  timeZone: z.nullable(z.string().check(z.overwrite(presentTimeZone))),
  phase: windowPhase,
  /** When the window ended or was cancelled. */
  overAt: z.nullable(instant),
  createdAt: instant,
  createdBy: z.string(),
  changedAt: instant,
  changedBy: z.string(),
  version,
});
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>;

const draft = { ...windowFields, startsAt: moment, endsAt: moment };

const cursorOf = {
  /** The value of `next` in the previous page. */
  cursor: z.optional(z.string().check(z.maxLength(1000))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
};

const access = { right: 'MAINTENANCE_WRITE' } as const;
const oneWindow = z.object({ windowId: id });

export const listWindows = route({
  method: 'GET',
  path: '/v1/maintenance/windows',
  summary:
    'Planned windows that are not over, the next first; or those that are over, the last first (MAINT-5)',
  access,
  closed: 'open',
  query: z.object({ over: z._default(z.stringbool(), false), ...cursorOf }),
  answer: z.object({ windows: z.array(maintenanceWindow), next: z.nullable(z.string()) }),
});

export const getWindow = route({
  method: 'GET',
  path: '/v1/maintenance/windows/:windowId',
  summary: 'One window',
  access,
  closed: 'open',
  params: oneWindow,
  answer: maintenanceWindow,
});

/**
 * Refused with the reason: an end before the start, a start in the past, a zone that does not exist, a time
 * that daylight saving skips or doubles (422, at the field), and an overlap with another window (409
 * WINDOW_OVERLAPS).
 */
export const planWindow = route({
  method: 'POST',
  path: '/v1/maintenance/windows',
  summary: 'Plans a window (MAINT-5)',
  access,
  creates: true,
  closed: 'open',
  body: z.strictObject({
    ...draft,
    text: z._default(windowFields.text, ''),
    texts: z._default(windowTexts, {}),
  }),
  answer: maintenanceWindow,
  status: 201,
});

/**
 * Texts that are left out stay unchanged. Once the window has started, its start and lead time cannot be changed;
 * once it is over, nothing can (409 WINDOW_OVER).
 */
export const changeWindow = route({
  method: 'PUT',
  path: '/v1/maintenance/windows/:windowId',
  summary: 'Changes a window',
  access,
  closed: 'open',
  params: oneWindow,
  body: z.strictObject({ ...draft, texts: z.optional(windowTexts), version }),
  answer: maintenanceWindow,
});

const steps = { access, closed: 'open', params: oneWindow, answer: maintenanceWindow } as const;

export const warnOfWindow = route({
  method: 'POST',
  path: '/v1/maintenance/windows/:windowId/warn',
  summary: 'Notifies people now: everyone sees the notice',
  body: z.strictObject({ version }),
  ...steps,
});

export const startWindow = route({
  method: 'POST',
  path: '/v1/maintenance/windows/:windowId/start',
  summary: 'Starts it now, as long as it was planned',
  body: z.strictObject({ version }),
  ...steps,
});

export const extendWindow = route({
  method: 'POST',
  path: '/v1/maintenance/windows/:windowId/extend',
  summary: 'Gives it a later end',
  body: z.strictObject({ version, endsAt: moment }),
  ...steps,
});

export const endWindow = route({
  method: 'POST',
  path: '/v1/maintenance/windows/:windowId/end',
  summary: 'Ends it now, once it has started; people return automatically',
  body: z.strictObject({ version }),
  ...steps,
});

export const cancelWindow = route({
  method: 'POST',
  path: '/v1/maintenance/windows/:windowId/cancel',
  summary: 'Calls it off before it has started',
  body: z.strictObject({ version }),
  ...steps,
});

export const removeFinishedText = route({
  method: 'POST',
  path: '/v1/maintenance/windows/:windowId/remove-text',
  summary: 'Removes the text that people read for an hour after it has ended',
  body: z.strictObject({ version }),
  ...steps,
});

/** `phase`: by time. `held-open`, `let-go`: the break-glass file came, went. All others: by an operator. */
export const maintenanceAction = z.enum([
  'planned',
  'changed',
  'warned',
  'started',
  'extended',
  'ended',
  'cancelled',
  'text-removed',
  'phase',
  'switched',
  'notice',
  'held-open',
  'let-go',
]);
export type MaintenanceAction = z.infer<typeof maintenanceAction>;

export const maintenanceHistoryEntry = z.object({
  id,
  at: instant,
  deed: maintenanceAction,
  /** Which window, with its title at that time; null for the manual switch and notice. */
  windowId: z.nullable(id),
  title: z.nullable(z.string()),
  /** The author; null: a phase change by time. */
  by: z.nullable(z.string()),
  /** The state after the action, as far as it matters for the action. */
  phase: z.nullable(windowPhase),
  mode: z.nullable(z.union([maintenanceMode, windowMode])),
  text: z.nullable(z.string()),
  severity: z.nullable(severity),
  startsAt: z.nullable(instant),
  endsAt: z.nullable(instant),
  /** The manual notice before the action; `endsAt`: the expected end. Null: another action, or unknown. */
  before: z.nullable(
    z.object({
      text: z.string(),
      /** Left out where it was not recorded. */
      texts: z.optional(writtenText),
      severity,
      endsAt: z.nullable(instant),
    }),
  ),
});
export type MaintenanceHistoryEntry = z.infer<typeof maintenanceHistoryEntry>;

export const listMaintenanceHistory = route({
  method: 'GET',
  path: '/v1/maintenance/history',
  summary: 'What has happened to maintenance, the latest first (MAINT-7)',
  access,
  closed: 'open',
  query: z.object({ windowId: z.optional(id), ...cursorOf }),
  answer: z.object({
    entries: z.array(maintenanceHistoryEntry),
    names: peopleNames,
    next: z.nullable(z.string()),
  }),
});
