import type { Clock } from '#server/platform/time/clock.ts';
import type { Change } from '#server/platform/database/database.ts';
import { type Actor, recordAudit } from '#features/audit/server/audit.store.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import {
  type StoredMaintenance,
  type MaintenanceDraft,
  readMaintenance,
  writeMaintenance,
} from './maintenance.store.ts';
import { windowOperations } from './change-windows.ts';
import { recordPhases } from './record-phases.ts';
import { wasHeldOpen, writeHistory, type Facts } from './history.store.ts';
import { maintenanceAt, type MaintenanceState } from './maintenance-at.ts';
import { openWindows } from './windows.store.ts';

/** All operations that change maintenance. Each takes the transaction in which it runs, and publishes the change. */
export type Operations = ReturnType<typeof createOperations>;

export function createOperations(clock: Clock) {
  return {
    ...windowOperations(clock),

    /** Sets the manual switch and its notice. Throws VERSION_CONFLICT, INVALID_BODY. */
    async setSwitch(change: Change, actor: Actor, draft: MaintenanceDraft): Promise<StoredMaintenance> {
      const { before, after } = await writeMaintenance(change, draft, actor);
      const { mode, text, texts, severity, expectedEnd: endsAt, since: startsAt } = after;
      const action = before.mode === mode ? 'notice' : 'switched';
      const facts: Facts = {
        mode,
        text,
        severity,
        startsAt,
        endsAt,
        before: {
          text: before.text,
          texts: before.texts,
          severity: before.severity,
          endsAt: before.expectedEnd,
        },
      };
      await writeHistory(change, { action, by: actor, facts });
      await recordAudit(change, actor, { action: 'maintenance.set', subject: 'maintenance', before, after });
      await publishToWebhooks(change, clock, 'maintenance.switched', {
        mode,
        text,
        texts,
        severity,
        expectedEnd: endsAt,
        since: startsAt,
        by: actor.name,
      });
      return after;
    },

    /**
     * Records the phases that are due, each once, on the first replica that notices them.
     *
     * @param options `backward`: the clock was set back, so earlier phases are recorded too
     */
    recordPhases: (change: Change, { backward }: { backward: boolean }) =>
      recordPhases(change, clock, backward),

    /**
     * Records once that the break-glass file was added or removed, and sends the resulting state to webhooks.
     *
     * @param followed the state of another flag host, which counts in place of the own one
     */
    async noteHeldOpen(change: Change, heldOpen: boolean, followed: MaintenanceState | null): Promise<void> {
      if ((await wasHeldOpen(change.tx)) === heldOpen) return;
      const action = heldOpen ? 'held-open' : 'let-go';
      await writeHistory(change, { action, by: null, facts: {} });
      const stored = {
        manual: followed ?? (await readMaintenance(change.tx)),
        windows: followed === null ? await openWindows(change.tx) : [],
        changedAt: change.at,
        heldOpen,
      };
      const { mode, text, texts, severity, expectedEnd, since } = maintenanceAt(stored, clock.now());
      await publishToWebhooks(change, clock, `maintenance.${action}`, {
        mode,
        text,
        texts,
        severity,
        expectedEnd,
        since,
        by: null,
      });
      change.publish('maintenance');
    },
  };
}
