import type { Clock } from '#server/platform/time/clock.ts';
import type { Change } from '#server/platform/database/database.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import { wasHeldOpen, writeHistory, type Facts } from './history.store.ts';
import { maintenanceAt } from './maintenance-at.ts';
import {
  readMaintenance,
  writeMaintenance,
  type StoredMaintenance,
  type MaintenanceDraft,
} from './maintenance.store.ts';
import { openWindows } from './windows.store.ts';

/** Sets the manual switch and its notice. Throws VERSION_CONFLICT, INVALID_BODY. */
export async function setSwitch(
  change: Change,
  clock: Clock,
  actor: Actor,
  draft: MaintenanceDraft,
): Promise<StoredMaintenance> {
  const { before, after } = await writeMaintenance(change, draft, actor.name);
  const { mode, text, texts, severity, expectedEnd: endsAt, since: startsAt } = after;
  const action = before.mode === mode ? 'notice' : 'switched';
  const { text: textBefore, severity: severityBefore, expectedEnd: endBefore } = before;
  const facts: Facts = {
    mode,
    text,
    severity,
    startsAt,
    endsAt,
    before: { text: textBefore, severity: severityBefore, endsAt: endBefore },
  };
  await writeHistory(change, { action, by: actor.name, facts });
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
}

/**
 * Records that the break-glass file has come or gone, once, and sends webhooks what is in force with that.
 */
export async function noteHeldOpen(change: Change, clock: Clock, heldOpen: boolean): Promise<void> {
  if ((await wasHeldOpen(change.tx)) === heldOpen) return;
  const action = heldOpen ? 'held-open' : 'let-go';
  await writeHistory(change, { action, by: null, facts: {} });
  const stored = {
    manual: await readMaintenance(change.tx),
    windows: await openWindows(change.tx),
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
}
