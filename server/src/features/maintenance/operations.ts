import { newId } from '../../platform/ids.ts';
import type { BodyOf } from '@portico/contract/route';
import type {
  changeWindow,
  extendWindow,
  MaintenanceDeed,
  MaintenanceWindow,
  planWindow,
  WindowPhase,
} from '@portico/contract/maintenance-windows';
import type { WebhookEvent } from '@portico/contract/webhooks';
import type { Clock } from '../../platform/clock.ts';
import type { Change } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Actor, AuditEntry } from '../audit/audit.store.ts';
import { wasHeldOpen, writeHistory, type Facts } from './history.store.ts';
import { isLater, maintenanceAt, phaseAt, phasesUntil, type Crossing } from './maintenance-at.ts';
import {
  readMaintenance,
  writeMaintenance,
  type KeptMaintenance,
  type MaintenanceDraft,
} from './maintenance.store.ts';
import { inUtc, laterEnd, timesOf } from './window-times.ts';
import { addWindow, findWindow, openWindows, writeWindow, type KeptWindow } from './windows.store.ts';

/** Writes what webhooks are told, in the transaction of what they are told of. */
export type TellWebhooks = (change: Change, event: WebhookEvent, data: unknown) => Promise<void>;

type Versioned = { version: number };

/** What an operator does to a window that is planned, as the audit calls it. */
type Verb = 'cancel' | 'change' | 'end' | 'extend' | 'start' | 'warn';

/** Everything that changes maintenance; each takes the transaction in which it happens, and tells who follows. */
export type Operations = {
  /** Throws VERSION_CONFLICT, INVALID_BODY. */
  setSwitch(change: Change, actor: Actor, draft: MaintenanceDraft): Promise<KeptMaintenance>;
  /** Throws INVALID_BODY, WINDOW_OVERLAPS. */
  plan(change: Change, actor: Actor, draft: BodyOf<typeof planWindow>): Promise<MaintenanceWindow>;
  /** These throw NOT_FOUND, WINDOW_OVER and VERSION_CONFLICT too, and CONFLICT where the window has not come or has gone that far. */
  change(
    change: Change,
    actor: Actor,
    id: string,
    draft: BodyOf<typeof changeWindow>,
  ): Promise<MaintenanceWindow>;
  warn(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  start(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  extend(
    change: Change,
    actor: Actor,
    id: string,
    known: BodyOf<typeof extendWindow>,
  ): Promise<MaintenanceWindow>;
  end(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  cancel(change: Change, actor: Actor, id: string, known: Versioned): Promise<MaintenanceWindow>;
  /** Ends every window that is in force; answers them. */
  endAll(change: Change, actor: Actor): Promise<MaintenanceWindow[]>;
  /**
   * Records the phases that time has brought, each once, on whichever replica comes first.
   *
   * @param backward also those that a clock has left again which was set back
   */
  cross(change: Change, options: { backward: boolean }): Promise<void>;
  /** Records that the break-glass file has come or gone, once, and tells webhooks what is in force with that. */
  noteHeldOpen(change: Change, heldOpen: boolean): Promise<void>;
};

const minute = 60_000;
const longestLeadMinutes = 10_080;

export function createOperations(parts: {
  clock: Clock;
  recordAudit: (change: Change, actor: Actor, entry: AuditEntry) => Promise<void>;
  tellWebhooks: TellWebhooks;
}): Operations {
  const { clock, recordAudit, tellWebhooks } = parts;

  /** One phase after the other; answers the window as it stands then. */
  async function crossOne(
    change: Change,
    window: KeptWindow,
    crossings: readonly Crossing[],
  ): Promise<KeptWindow> {
    let now = window;
    for (const { phase, due } of crossings) {
      now = { ...now, phase, overAt: phase === 'ended' ? window.endsAt : null };
      await writeHistory(change, { deed: 'phase', window, by: null, facts: { ...factsOf(now), due } });
      await tellWebhooks(change, `maintenance.${phase}`, { window: now, by: null, due });
    }
    if (crossings.length === 0) return window;
    await writeWindow(change, now);
    change.tell('maintenance');
    return now;
  }

  async function crossAll(change: Change, backward: boolean): Promise<void> {
    const now = clock.now();
    for (const window of await openWindows(change.tx)) {
      if (backward || isLater(phaseAt(window, now), window.phase))
        await crossOne(change, window, phasesUntil(window, now));
    }
  }

  /** The window that an operator has in mind, as it stands now. */
  async function windowFor(change: Change, id: string, { version }: Versioned): Promise<KeptWindow> {
    // What time has brought comes before what somebody does about it.
    await crossAll(change, false);
    const window = await findWindow(change.tx, id);
    if (window === null) throw new HttpProblem('NOT_FOUND', { detail: 'There is no such window.' });
    if (window.overAt !== null) {
      const how = window.phase === 'cancelled' ? 'was cancelled' : 'ended';
      throw new HttpProblem('WINDOW_OVER', {
        detail: `It ${how} at ${inUtc(window.overAt)} and stays as it is; plan another one.`,
      });
    }
    if (window.version !== version) {
      throw new HttpProblem('VERSION_CONFLICT', {
        detail: `Its version is ${window.version} now, not ${version}: read it again before you change it.`,
      });
    }
    return { ...window, phase: phaseAt(window, clock.now()) };
  }

  async function refuseOverlap(change: Change, window: KeptWindow): Promise<void> {
    const now = clock.now();
    for (const other of await openWindows(change.tx)) {
      if (other.id === window.id) continue;
      // One that is overdue has lasted until now; for how much longer nobody knows.
      const until = Math.max(other.endsAt, phaseAt(other, now) === 'overdue' ? now : 0);
      if (window.startsAt >= until || other.startsAt >= window.endsAt) continue;
      throw new HttpProblem('WINDOW_OVERLAPS', {
        detail: `It overlaps with “${other.title}”, from ${inUtc(other.startsAt)} to ${inUtc(until)}.`,
      });
    }
  }

  /** Keeps what an operator has done to a window, with history, audit and webhooks. */
  async function keep(
    change: Change,
    actor: Actor,
    done: { deed: MaintenanceDeed; verb: Verb; before: KeptWindow; after: Partial<KeptWindow> },
  ): Promise<KeptWindow> {
    const { before } = done;
    const after: KeptWindow = {
      ...before,
      ...done.after,
      changedAt: change.at,
      changedBy: actor.name,
      version: before.version + 1,
    };
    await writeWindow(change, after);
    await writeHistory(change, { deed: done.deed, window: after, by: actor.name, facts: factsOf(after) });
    await recordAudit(change, actor, {
      action: `maintenance-window.${done.verb}`,
      subject: after.id,
      before,
      after,
    });
    const event: WebhookEvent =
      after.phase === before.phase ? 'maintenance.changed' : `maintenance.${after.phase}`;
    await tellWebhooks(change, event, { window: after, by: actor.name });
    change.tell('maintenance');
    return after;
  }

  async function endOne(change: Change, actor: Actor, before: KeptWindow): Promise<KeptWindow> {
    const after = { phase: 'ended', overAt: clock.now() } as const;
    return keep(change, actor, { deed: 'ended', verb: 'end', before, after });
  }

  return {
    async setSwitch(change, actor, draft) {
      const { before, after } = await writeMaintenance(change, draft, actor.name);
      const { mode, text, severity, expectedEnd: endsAt, since: startsAt } = after;
      const deed = before.mode === mode ? 'notice' : 'switched';
      const facts = { mode, text, severity, startsAt, endsAt };
      await writeHistory(change, { deed, by: actor.name, facts });
      await recordAudit(change, actor, { action: 'maintenance.set', subject: 'maintenance', before, after });
      await tellWebhooks(change, 'maintenance.switched', {
        mode,
        text,
        severity,
        expectedEnd: endsAt,
        since: startsAt,
        by: actor.name,
      });
      return after;
    },

    async plan(change, actor, draft) {
      await crossAll(change, false);
      const { startsAt: _start, endsAt: _end, ...fields } = draft;
      const window: KeptWindow = {
        id: newId(),
        ...fields,
        ...timesOf(draft, clock.now()),
        phase: 'scheduled',
        overAt: null,
        createdAt: change.at,
        createdBy: actor.name,
        changedAt: change.at,
        changedBy: actor.name,
        version: 1,
      };
      await refuseOverlap(change, window);
      await addWindow(change, window);
      await writeHistory(change, { deed: 'planned', window, by: actor.name, facts: factsOf(window) });
      await recordAudit(change, actor, {
        action: 'maintenance-window.plan',
        subject: window.id,
        after: window,
      });
      await tellWebhooks(change, 'maintenance.scheduled', { window, by: actor.name });
      change.tell('maintenance');
      // Its lead time may run already.
      return crossOne(change, window, phasesUntil(window, clock.now()));
    },

    async change(change, actor, id, { version, ...draft }) {
      const before = await windowFor(change, id, { version });
      const now = clock.now();
      const { startsAt: _start, endsAt: _end, ...fields } = draft;
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
      if (phase === 'ended') {
        throw new HttpProblem('INVALID_BODY', {
          errors: [
            {
              pointer: '/endsAt',
              code: 'past',
              message: 'has passed, and it would end by itself: give it a later end, or end it',
            },
          ],
        });
      }
      if (times.startsAt !== before.startsAt || times.endsAt !== before.endsAt)
        await refuseOverlap(change, changed);
      const after = { ...fields, ...times, phase };
      return keep(change, actor, { deed: 'changed', verb: 'change', before, after });
    },

    async warn(change, actor, id, known) {
      const before = await windowFor(change, id, known);
      if (before.phase === 'imminent') return before;
      refuseStarted(before.phase);
      const leadMinutes = Math.ceil((before.startsAt - clock.now()) / minute);
      if (leadMinutes > longestLeadMinutes) {
        throw new HttpProblem('CONFLICT', {
          detail: 'People can be warned a week before the start at the earliest.',
        });
      }
      const after = { leadMinutes, phase: 'imminent' } as const;
      return keep(change, actor, { deed: 'warned', verb: 'warn', before, after });
    },

    async start(change, actor, id, known) {
      const before = await windowFor(change, id, known);
      if (hasStarted(before.phase)) return before;
      const startsAt = clock.now();
      const after = {
        startsAt,
        endsAt: startsAt + before.endsAt - before.startsAt,
        phase: 'active',
      } as const;
      await refuseOverlap(change, { ...before, ...after });
      return keep(change, actor, { deed: 'started', verb: 'start', before, after });
    },

    async extend(change, actor, id, { version, endsAt: moment }) {
      const before = await windowFor(change, id, { version });
      const endsAt = laterEnd(moment, clock.now(), before);
      const phase: WindowPhase = before.phase === 'overdue' ? 'active' : before.phase;
      await refuseOverlap(change, { ...before, endsAt });
      const after = { endsAt, phase };
      return keep(change, actor, { deed: 'extended', verb: 'extend', before, after });
    },

    async end(change, actor, id, known) {
      const before = await windowFor(change, id, known);
      if (!hasStarted(before.phase))
        throw new HttpProblem('CONFLICT', { detail: 'It has not started yet; it can be cancelled.' });
      return endOne(change, actor, before);
    },

    async cancel(change, actor, id, known) {
      const before = await windowFor(change, id, known);
      refuseStarted(before.phase);
      const after = { phase: 'cancelled', overAt: clock.now() } as const;
      return keep(change, actor, { deed: 'cancelled', verb: 'cancel', before, after });
    },

    async endAll(change, actor) {
      await crossAll(change, false);
      const ended: KeptWindow[] = [];
      for (const window of await openWindows(change.tx)) {
        const phase = phaseAt(window, clock.now());
        if (hasStarted(phase)) ended.push(await endOne(change, actor, { ...window, phase }));
      }
      return ended;
    },

    cross: (change, { backward }) => crossAll(change, backward),

    async noteHeldOpen(change, heldOpen) {
      if ((await wasHeldOpen(change.tx)) === heldOpen) return;
      const deed = heldOpen ? 'held-open' : 'let-go';
      await writeHistory(change, { deed, by: null, facts: {} });
      const kept = {
        manual: await readMaintenance(change.tx),
        windows: await openWindows(change.tx),
        changedAt: change.at,
        heldOpen,
      };
      const { mode, text, severity, expectedEnd, since } = maintenanceAt(kept, clock.now());
      await tellWebhooks(change, `maintenance.${deed}`, {
        mode,
        text,
        severity,
        expectedEnd,
        since,
        by: null,
      });
      change.tell('maintenance');
    },
  };
}

function hasStarted(phase: WindowPhase): boolean {
  return phase === 'active' || phase === 'overdue';
}

function refuseStarted(phase: WindowPhase): void {
  if (hasStarted(phase))
    throw new HttpProblem('CONFLICT', { detail: 'It has started already; it can be ended.' });
}

function factsOf({ phase, mode, text, severity, startsAt, endsAt }: KeptWindow): Facts {
  return { phase, mode, text, severity, startsAt, endsAt };
}
