import * as z from 'zod/mini';
import { auditEntry } from '#features/audit/contract/audit.ts';
import { windowMode } from '#features/maintenance/contract/maintenance.ts';
import { windowPhase } from '#features/maintenance/contract/windows.ts';
import { route } from '#contract/route.ts';
import { id, instant } from '#contract/text.ts';

/** A figure of each five minutes is stored for so many milliseconds: 30 days (CON-2). */
export const activityRetention = 30 * 24 * 3_600_000;

/** The length of a bucket of `activity`, milliseconds. */
export const activityStep = 300_000;

/** The rights of which one is enough for the overview to show something. */
export const overviewRights = [
  'MAINTENANCE_WRITE',
  'REPORTS_READ',
  'FLAGS_READ',
  'SETTINGS_WRITE',
  'AUDIT_READ',
] as const;

/** How far back the pictures of the overview reach. */
export const overviewPeriod = z.enum(['24h', '7d', '30d']);
export type OverviewPeriod = z.infer<typeof overviewPeriod>;

/** The figures of the period; each list has one for each bucket of `figuresStep`, the last one running. */
const figures = z.array(z.nullable(z.number()));

/** A window as the overview shows it. */
export const overviewWindow = z.object({
  id,
  title: z.string(),
  mode: windowMode,
  phase: windowPhase,
  startsAt: instant,
  endsAt: instant,
});
export type OverviewWindow = z.infer<typeof overviewWindow>;

const names = z.array(z.string());

/**
 * What needs an operator (CON-2). Lists of names hold the first three; `count` is how many there are
 * altogether.
 *
 * - `webhook`: its last try failed; `failures` are the failed tries in a row, since `since`.
 * - `mail`: mails that the mail server did not take, `givenUp` of them for good; `since` is the oldest. Where it
 *   is one to a person, `personId` is theirs; null also without PEOPLE_READ.
 * - `window`: past its planned end and still in force.
 * - `held-open`: a file in the data folder overrides maintenance.
 * - `refused`: what came from people who are not signed in was too much, `at` last, within a day.
 * - `reports`: those with the status `new`; `id` is the latest, `excerpt` its beginning.
 * - `backup`: no good backup since `since`, where they are made by themselves.
 * - `backup-differs`: the last that was verified, `at`, cannot be restored as it was.
 * - `files-store`: the object store of files has not answered since `since`; `waiting` files are sent to it later.
 * - `tokens`: API tokens that end within a week; `id` and `expiresAt` are the first's.
 * - `flag-proposals`: changes of flags that wait for a review, of all since `since`.
 * - `held-ramps`: flags of which a guard took a ramp back, which waits for a person.
 * - `stale-flags`: boolean flags that have had one value for everyone for a long time; `since` is the first's.
 */
export const attentionItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('webhook'),
    id,
    name: z.string(),
    failures: z.number(),
    since: instant,
    status: z.nullable(z.number()),
    nextTryAt: z.nullable(instant),
  }),
  z.object({
    kind: z.literal('mail'),
    /** What the oldest mail is about. */
    about: z.enum(['reports', 'errors', 'people']),
    count: z.number(),
    givenUp: z.number(),
    since: instant,
    personId: z.nullable(id),
  }),
  z.object({ kind: z.literal('window'), id, title: z.string(), endsAt: instant }),
  z.object({ kind: z.literal('held-open') }),
  z.object({ kind: z.literal('refused'), ways: z.array(z.enum(['reports', 'errors'])), at: instant }),
  z.object({ kind: z.literal('reports'), id, count: z.number(), excerpt: z.string(), at: instant }),
  z.object({ kind: z.literal('backup'), since: instant }),
  z.object({ kind: z.literal('backup-differs'), name: z.nullable(z.string()), at: instant }),
  z.object({ kind: z.literal('files-store'), since: instant, waiting: z.number() }),
  z.object({ kind: z.literal('tokens'), id, count: z.number(), names, expiresAt: instant }),
  z.object({ kind: z.literal('flag-proposals'), count: z.number(), names, since: instant }),
  z.object({ kind: z.literal('held-ramps'), count: z.number(), names }),
  z.object({
    kind: z.literal('stale-flags'),
    count: z.number(),
    names,
    /** The value that everyone gets of the first flag. */
    value: z.boolean(),
    since: instant,
    /** How many of them no code reads either (FLAG-16). */
    safe: z.number(),
  }),
]);
export type AttentionItem = z.infer<typeof attentionItem>;

/** What a new installation is set up with, in the order in which it is offered (CON-5). */
export const firstSteps = ['protect', 'application', 'person', 'flag', 'sdk', 'mail', 'branding'] as const;
export type FirstStep = (typeof firstSteps)[number];
const firstStepsState = z.object({ done: z.array(z.enum(firstSteps)), hidden: z.boolean() });
export type FirstSteps = z.infer<typeof firstStepsState>;

export const overview = z.object({
  period: overviewPeriod,
  /** The beginning of the first bucket of `people.figures` and `sdks.figures`. */
  figuresFrom: instant,
  /** Milliseconds: 5 minutes of a day, 30 of a week, 2 hours of a month. */
  figuresStep: z.number(),
  /** MAINTENANCE_WRITE. Connected now, over all replicas; the figures are the most people at a time. */
  people: z.nullable(z.object({ people: z.number(), tabs: z.number(), unsaved: z.number(), figures })),
  /** REPORTS_READ. */
  reports: z.nullable(
    z.object({
      open: z.number(),
      new: z.number(),
      /** When the oldest open report arrived. */
      oldestAt: z.nullable(instant),
      /** How many arrived in a quarter of an hour, by its beginning, over the last 15 days, or 31 of a month. */
      arrived: z.array(z.tuple([instant, z.number()])),
    }),
  ),
  /** MAINTENANCE_WRITE. Windows that are not over, the next first, at most 20. */
  windows: z.nullable(z.array(overviewWindow)),
  /** FLAGS_READ. */
  sdks: z.nullable(
    z.object({
      /** SDKs with an open flag stream, over all replicas; Portico's own pages are not counted. */
      connected: z.number(),
      /** Requests for which the server decided flags, a minute, over the last five to ten minutes. */
      evaluations: z.number(),
      figures,
      evaluationFigures: figures,
    }),
  ),
  /** The most urgent first. */
  attention: z.array(attentionItem),
  /** SETTINGS_WRITE. The steps that are done; `hidden`: an operator has hidden the list, and no step is read. */
  firstSteps: z.nullable(firstStepsState),
  /** AUDIT_READ. The latest entries. */
  audit: z.nullable(z.array(auditEntry)),
});
export type Overview = z.infer<typeof overview>;

export const getOverview = route({
  method: 'GET',
  path: '/v1/overview',
  summary: 'What goes on and what needs an operator; each part is null without its right (CON-2)',
  access: 'signed-in',
  closed: 'open',
  query: z.object({ period: z._default(overviewPeriod, '24h') }),
  answer: overview,
});

export const setFirstSteps = route({
  method: 'PUT',
  path: '/v1/overview/first-steps',
  summary: 'Puts the list of first steps away, for all operators, or shows it again (CON-5)',
  access: { right: 'SETTINGS_WRITE' },
  body: z.strictObject({ hidden: z.boolean() }),
  answer: z.object({ hidden: z.boolean() }),
});
