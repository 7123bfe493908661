import { homeList } from '#features/home/contract/home.ts';
import { publishList } from '#server/platform/database/live-list.ts';
import { newId } from '#server/platform/keys/ids.ts';
import type { WebhookEvent } from '#features/webhooks/contract/webhooks.ts';
import type { BodyOf } from '#contract/route.ts';
import type {
  changeWindow as changeRoute,
  extendWindow as extendRoute,
  MaintenanceAction,
  planWindow as planRoute,
  WindowPhase,
} from '#features/maintenance/contract/windows.ts';
import type { Clock } from '#server/platform/time/clock.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem, invalid, orNotFound, refuseStale } from '#server/platform/http/http-problem.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { writtenBy } from '#features/directory/server/authors.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import { writeHistory } from './history.store.ts';
import { fittingText, phaseAt, phasesUntil } from './maintenance-at.ts';
import { inUtc, laterEnd, timesOf } from './window-times.ts';
import { addWindow, findWindow, openWindows, writeWindow, type StoredWindow } from './windows.store.ts';
import { factsOf, recordPhases, recordPhasesOf } from './record-phases.ts';

type Versioned = { version: number };

/** What an operator does to a planned window, by its name in the audit. */
type Verb = 'cancel' | 'change' | 'end' | 'extend' | 'remove-text' | 'start' | 'warn';

const minute = 60_000;
const longestLeadMinutes = 10_080;

type Wanted<Body> = (change: Change, actor: Actor, id: string, wanted: Body) => Promise<StoredWindow>;

/** What operators do to windows. Each operation runs in the transaction that it is given. */
export type WindowOperations = {
  /** Throws INVALID_BODY, WINDOW_OVERLAPS. */
  plan(change: Change, actor: Actor, draft: BodyOf<typeof planRoute>): Promise<StoredWindow>;
  /** `change` to `cancel` also throw NOT_FOUND, WINDOW_OVER, VERSION_CONFLICT, and CONFLICT in another phase. */
  change: Wanted<BodyOf<typeof changeRoute>>;
  warn: Wanted<Versioned>;
  start: Wanted<Versioned>;
  extend: Wanted<BodyOf<typeof extendRoute>>;
  end: Wanted<Versioned>;
  cancel: Wanted<Versioned>;
  /** Throws NOT_FOUND, VERSION_CONFLICT, and CONFLICT where the window has not ended. */
  removeText: Wanted<Versioned>;
  /** Ends every window that is in force and answers these windows. */
  endAll(change: Change, actor: Actor): Promise<StoredWindow[]>;
};

export function windowOperations(clock: Clock): WindowOperations {
  return {
    async plan(change, actor, draft) {
      await recordPhases(change, clock, false);
      const now = clock.now();
      const { startsAt: _start, endsAt: _end, ...fields } = draft;
      const window: StoredWindow = {
        id: newId(),
        ...fields,
        ...timesOf(draft, now),
        phase: 'scheduled',
        overAt: null,
        createdAt: change.at,
        createdBy: actor.name,
        changedAt: change.at,
        changedBy: actor.name,
        version: 1,
      };
      await refuseOverlap(change, now, window);
      await addWindow(change, window, actor);
      await writeHistory(change, { action: 'planned', window, by: actor, facts: factsOf(window) });
      await recordAudit(change, actor, {
        action: 'maintenance-window.plan',
        subject: window.id,
        after: window,
      });
      await publishToWebhooks(change, clock, 'maintenance.scheduled', {
        window,
        ...fittingText(window),
        by: actor.name,
      });
      change.publish('maintenance');
      publishList(change, homeList);
      // The lead time may have begun already.
      return recordPhasesOf(change, clock, window, phasesUntil(window, clock.now()));
    },

    async change(change, actor, id, { version, ...draft }) {
      const before = await windowFor(change, clock, id, { version });
      const now = clock.now();
      const { startsAt: _start, endsAt: _end, texts = before.texts, ...rest } = draft;
      const fields = { ...rest, texts };
      const times = timesOf(draft, now, before);
      const changed = { ...before, ...fields, ...times };
      if (hasStarted(before.phase)) {
        const errors = (['startsAt', 'leadMinutes'] as const)
          .filter((field) => changed[field] !== before[field])
          .map((field) => ({
            pointer: `/${field}`,
            code: 'started',
            message: 'stays, since it has started',
          }));
        if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
      }
      const phase = phaseAt({ ...changed, phase: hasStarted(before.phase) ? 'active' : 'scheduled' }, now);
      if (phase === 'ended')
        throw invalid(
          '/endsAt',
          'past',
          'has passed, and it would end by itself: give it a later end, or end it',
        );
      if (times.startsAt !== before.startsAt || times.endsAt !== before.endsAt)
        await refuseOverlap(change, now, changed);
      const after = { ...fields, ...times, phase };
      return store(change, clock, actor, { action: 'changed', verb: 'change', before, after });
    },

    async warn(change, actor, id, known) {
      const before = await windowFor(change, clock, id, known);
      if (before.phase === 'imminent') return before;
      refuseStarted(before.phase);
      const leadMinutes = Math.ceil((before.startsAt - clock.now()) / minute);
      if (leadMinutes > longestLeadMinutes) {
        throw new HttpProblem('CONFLICT', {
          detail: 'People can be warned a week before the start at the earliest.',
        });
      }
      const after = { leadMinutes, phase: 'imminent' } as const;
      return store(change, clock, actor, { action: 'warned', verb: 'warn', before, after });
    },

    async start(change, actor, id, known) {
      const before = await windowFor(change, clock, id, known);
      if (hasStarted(before.phase)) return before;
      const startsAt = clock.now();
      const after = {
        startsAt,
        endsAt: startsAt + before.endsAt - before.startsAt,
        phase: 'active',
      } as const;
      await refuseOverlap(change, startsAt, { ...before, ...after });
      return store(change, clock, actor, { action: 'started', verb: 'start', before, after });
    },

    async extend(change, actor, id, { version, endsAt: wanted }) {
      const before = await windowFor(change, clock, id, { version });
      const now = clock.now();
      const endsAt = laterEnd(wanted, now, before);
      const phase: WindowPhase = before.phase === 'overdue' ? 'active' : before.phase;
      await refuseOverlap(change, now, { ...before, endsAt });
      const after = { endsAt, phase };
      return store(change, clock, actor, { action: 'extended', verb: 'extend', before, after });
    },

    async end(change, actor, id, known) {
      const before = await windowFor(change, clock, id, known);
      if (!hasStarted(before.phase))
        throw new HttpProblem('CONFLICT', { detail: 'It has not started yet; it can be cancelled.' });
      return endOne(change, clock, actor, before);
    },

    async cancel(change, actor, id, known) {
      const before = await windowFor(change, clock, id, known);
      refuseStarted(before.phase);
      const after = { phase: 'cancelled', overAt: clock.now() } as const;
      return store(change, clock, actor, { action: 'cancelled', verb: 'cancel', before, after });
    },

    async removeText(change, actor, id, known) {
      const before = await knownWindow(change, clock, id, known);
      if (before.phase !== 'ended')
        throw new HttpProblem('CONFLICT', { detail: 'It has not ended; its texts can be changed.' });
      const { finished, ...texts } = before.texts;
      if (finished === undefined) return before;
      return store(change, clock, actor, {
        action: 'text-removed',
        verb: 'remove-text',
        before,
        after: { texts },
      });
    },

    async endAll(change, actor) {
      await recordPhases(change, clock, false);
      const ended: StoredWindow[] = [];
      for (const window of await openWindows(change.tx)) {
        const phase = phaseAt(window, clock.now());
        if (hasStarted(phase)) ended.push(await endOne(change, clock, actor, { ...window, phase }));
      }
      return ended;
    },
  };
}

/** The window that an operator wants to change, in its present phase. Throws WINDOW_OVER where it is over. */
async function windowFor(change: Change, clock: Clock, id: string, known: Versioned): Promise<StoredWindow> {
  const window = await knownWindow(change, clock, id, known, refuseOver);
  return { ...window, phase: phaseAt(window, clock.now()) };
}

/** @param allowed refuses a window before its version is looked at */
async function knownWindow(
  change: Change,
  clock: Clock,
  id: string,
  { version }: Versioned,
  allowed: (window: StoredWindow) => void = () => {},
): Promise<StoredWindow> {
  // Phases that are due are recorded before the operator's change.
  await recordPhases(change, clock, false);
  const window = orNotFound(await findWindow(change.tx, id), 'There is no such window.');
  allowed(window);
  const stale = `Its version is ${window.version} now, not ${version}: read it again before you change it.`;
  refuseStale(window, version, stale);
  return window;
}

/** @throws WINDOW_OVER */
function refuseOver(window: StoredWindow): void {
  if (window.overAt !== null) {
    const how = window.phase === 'cancelled' ? 'was cancelled' : 'ended';
    throw new HttpProblem('WINDOW_OVER', {
      detail: `It ${how} at ${inUtc(window.overAt)} and stays as it is; plan another one.`,
    });
  }
}

/**
 * @param now when the window was checked, which is its start where it starts now; with a later time an overdue
 *   window would reach beyond that start
 * @throws WINDOW_OVERLAPS
 */
async function refuseOverlap(change: Change, now: number, window: StoredWindow): Promise<void> {
  for (const other of await openWindows(change.tx)) {
    if (other.id === window.id) continue;
    // An overdue window has lasted until now; its end is unknown.
    const until = Math.max(other.endsAt, phaseAt(other, now) === 'overdue' ? now : 0);
    if (window.startsAt >= until || other.startsAt >= window.endsAt) continue;
    throw new HttpProblem('WINDOW_OVERLAPS', {
      detail: `It overlaps with “${other.title}”, from ${inUtc(other.startsAt)} to ${inUtc(until)}.`,
    });
  }
}

/** Stores what an operator has done to a window, with history, audit and webhooks. */
async function store(
  change: Change,
  clock: Clock,
  actor: Actor,
  done: { action: MaintenanceAction; verb: Verb; before: StoredWindow; after: Partial<StoredWindow> },
): Promise<StoredWindow> {
  const { before } = done;
  const after: StoredWindow = {
    ...before,
    ...done.after,
    changedAt: change.at,
    changedBy: actor.name,
    version: before.version + 1,
  };
  await writeWindow(change, after, writtenBy('changed_by', actor));
  await writeHistory(change, { action: done.action, window: after, by: actor, facts: factsOf(after) });
  await recordAudit(change, actor, {
    action: `maintenance-window.${done.verb}`,
    subject: after.id,
    before,
    after,
  });
  const event: WebhookEvent =
    after.phase === before.phase ? 'maintenance.changed' : `maintenance.${after.phase}`;
  await publishToWebhooks(change, clock, event, { window: after, ...fittingText(after), by: actor.name });
  change.publish('maintenance');
  publishList(change, homeList);
  return after;
}

async function endOne(
  change: Change,
  clock: Clock,
  actor: Actor,
  before: StoredWindow,
): Promise<StoredWindow> {
  const after = { phase: 'ended', overAt: clock.now() } as const;
  return store(change, clock, actor, { action: 'ended', verb: 'end', before, after });
}

function hasStarted(phase: WindowPhase): boolean {
  return phase === 'active' || phase === 'overdue';
}

function refuseStarted(phase: WindowPhase): void {
  if (hasStarted(phase))
    throw new HttpProblem('CONFLICT', { detail: 'It has started already; it can be ended.' });
}
