import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import type { Presence } from '#features/presence/contract/presence.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { presenceInWords } from '../presence-words.ts';
import { useServerNow } from '../use-server-now.ts';
import { isRunning, phaseAt } from '../windows/phase-at.ts';
import { Drain } from './drain.tsx';

type WorkingTileProps = {
  presence: UseQueryResult<Presence>;
  window: MaintenanceWindow | null;
  settings: MaintenanceSettings;
};

/** The number of people at work, and, once people are notified, of tabs without unsaved work. */
export function WorkingTile({ presence, window, settings }: WorkingTileProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const phase = window === null ? 'scheduled' : phaseAt(window, now);
  const drains =
    settings.inForce.mode !== 'off' ||
    (window?.mode !== 'announce' && (phase === 'imminent' || isRunning(phase)));
  const { data } = presence;
  return (
    <section className="now-tile" aria-labelledby="still-working">
      <h2 id="still-working">{t('MAINTENANCE.CONSOLE.PRESENCE.TITLE')}</h2>
      <p className="now-figure" aria-hidden="true">
        {data === undefined ? '–' : formats.number(data.people)}
      </p>
      <p>
        {data !== undefined
          ? presenceInWords(t, data)
          : t(
              presence.isError
                ? 'MAINTENANCE.CONSOLE.PRESENCE.UNKNOWN'
                : 'MAINTENANCE.CONSOLE.PRESENCE.LOADING',
            )}
      </p>
      {drains && data !== undefined ? <Drain presence={data} /> : null}
    </section>
  );
}
