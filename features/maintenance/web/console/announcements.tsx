import type { MaintenanceWindow, WindowPhase } from '#features/maintenance/contract/windows.ts';
import type { Presence } from '#features/presence/contract/presence.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minutesInWords } from '#web/platform/time/days.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { announcedMinutes } from '../countdown.ts';
import { maintenanceKey } from '../live-status.ts';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { isRunning, phaseAt } from './windows/phase-at.ts';
import { useFormats } from '#web/platform/contexts.tsx';

type Known = { windowId: string; title: string; phase: WindowPhase; left: number; unsaved: number | null };

/**
 * Announces what changes by itself while the screen is open: a new phase, the last minutes before the start,
 * and when no person has unsaved work any more. Announcing each second and each figure would drown the rest.
 */
export function Announcements({
  window,
  presence,
}: {
  window: MaintenanceWindow | null;
  presence: Presence | undefined;
}) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const now = useServerNow();
  const [spoken, setSpoken] = useState('');
  const before = useRef<Known | null>(null);

  useEffect(() => {
    const was = before.current;
    const is: Known | null =
      window === null
        ? null
        : {
            windowId: window.id,
            title: window.title,
            phase: phaseAt(window, now),
            left: window.startsAt - now,
            unsaved: presence?.unsaved ?? null,
          };
    before.current = is;
    const words = was === null ? null : wordsFor(t, locale, was, is);
    if (words !== null) setSpoken(words);
  }, [window, presence, now, t, locale]);

  return (
    <p className="visually-hidden" role="status">
      {spoken}
    </p>
  );
}

function wordsFor(t: TFunction, locale: string, was: Known, is: Known | null): string | null {
  const { title } = was;
  if (is === null || is.windowId !== was.windowId)
    return isRunning(was.phase)
      ? t('MAINTENANCE.CONSOLE.SPOKEN.PHASE', { title, phase: t('MAINTENANCE.CONSOLE.PHASES.ENDED') })
      : null;
  if (was.phase !== is.phase)
    return t('MAINTENANCE.CONSOLE.SPOKEN.PHASE', {
      title,
      phase: t(`MAINTENANCE.CONSOLE.PHASES.${catalogueKey(is.phase)}`),
    });
  if (is.phase === 'imminent') {
    const minutes = announcedMinutes(was.left, is.left);
    if (minutes !== null)
      return t('MAINTENANCE.CONSOLE.SPOKEN.LEFT', { title, duration: minutesInWords(locale, minutes) });
  }
  if (is.phase !== 'scheduled' && is.unsaved === 0 && was.unsaved !== null && was.unsaved > 0)
    return t('MAINTENANCE.CONSOLE.SPOKEN.ALL_SAVED');
  return null;
}

/** Reloads everything when a window enters another phase, since that changes what is in force. */
export function usePhaseChanges(windows: readonly MaintenanceWindow[]): void {
  const queries = useQueryClient();
  const now = useServerNow();
  const phases = windows.map((window) => `${window.id} ${phaseAt(window, now)}`).join();
  const before = useRef(phases);
  useEffect(() => {
    if (before.current === phases) return;
    before.current = phases;
    void queries.invalidateQueries({ queryKey: maintenanceKey });
  }, [phases, queries]);
}
