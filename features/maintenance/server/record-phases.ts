import type { Clock } from '#server/platform/time/clock.ts';
import type { Change } from '#server/platform/database/database.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import { writeHistory, type Facts } from './history.store.ts';
import { fittingText, isLater, phaseAt, phasesUntil, type PhaseChange } from './maintenance-at.ts';
import { openWindows, writeWindow, type StoredWindow } from './windows.store.ts';

/** The facts about a window that its history entries hold. */
export function factsOf({ phase, mode, text, severity, startsAt, endsAt }: StoredWindow): Facts {
  return { phase, mode, text, severity, startsAt, endsAt };
}

/** Records the phase changes of a window one after the other; answers the window in its last phase. */
export async function recordPhasesOf(
  change: Change,
  clock: Clock,
  window: StoredWindow,
  phaseChanges: readonly PhaseChange[],
): Promise<StoredWindow> {
  let now = window;
  for (const { phase, due } of phaseChanges) {
    now = { ...now, phase, overAt: phase === 'ended' ? window.endsAt : null };
    await writeHistory(change, { action: 'phase', window, by: null, facts: { ...factsOf(now), due } });
    await publishToWebhooks(change, clock, `maintenance.${phase}`, {
      window: now,
      ...fittingText(now),
      by: null,
      due,
    });
  }
  if (phaseChanges.length === 0) return window;
  await writeWindow(change, now);
  change.publish('maintenance');
  return now;
}

/**
 * Records the phases that are due, each once.
 *
 * @param backward the clock was set back, so earlier phases are recorded too
 */
export async function recordPhases(change: Change, clock: Clock, backward: boolean): Promise<void> {
  const now = clock.now();
  for (const window of await openWindows(change.tx)) {
    if (backward || isLater(phaseAt(window, now), window.phase))
      await recordPhasesOf(change, clock, window, phasesUntil(window, now));
  }
}
