import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { useServerNow } from '../use-server-now.ts';
import { Timeline, type Stop } from '../windows/timeline.tsx';
import { shortTime } from '../windows/window-times.ts';
import { EndNow } from './end-now.tsx';

type ImmediateCardProps = {
  settings: MaintenanceSettings;
  /** A window that stays in force after the switch is off; null: none. */
  goesOn: MaintenanceWindow | null;
  onChange: () => void;
};

/** Maintenance that was started at once: since when and by whom, until when, and how to end or change it. */
export function ImmediateCard({ settings, goesOn, onChange }: ImmediateCardProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const { mode, since, expectedEnd, changedBy } = settings;
  const late = expectedEnd !== null && expectedEnd <= now;
  const stops: Stop[] = [
    {
      key: 'started',
      name: t('MAINTENANCE.CONSOLE.STAGES.STARTED'),
      at: since,
      state: late ? 'done' : 'here',
      time: since === null ? '' : shortTime(formats, since, now),
    },
    {
      key: 'end',
      name: t('MAINTENANCE.CONSOLE.STAGES.EXPECTED_END'),
      at: expectedEnd,
      state: late ? 'late' : 'ahead',
      time:
        expectedEnd === null ? t('MAINTENANCE.CONSOLE.TURN.NO_END') : shortTime(formats, expectedEnd, now),
    },
    {
      key: 'ended',
      name: t('MAINTENANCE.CONSOLE.STAGES.ENDED'),
      at: null,
      state: 'ahead',
      time: t('MAINTENANCE.CONSOLE.STAGES.BY_HAND'),
    },
  ];
  return (
    <section className="current" aria-labelledby="immediate-maintenance">
      <div className="current-head">
        <div>
          <h2 id="immediate-maintenance">{t('MAINTENANCE.CONSOLE.BY_HAND.TITLE')}</h2>
          <p className="muted">
            {t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.NOW`)}
            {changedBy === null
              ? null
              : ` · ${t('MAINTENANCE.CONSOLE.CHANGED_BY', { name: namedActor(t, changedBy, settings.names) })}`}
          </p>
        </div>
        <div className="button-row">
          <EndNow settings={settings} goesOn={goesOn} />
          <Button onClick={onChange}>{t('MAINTENANCE.CONSOLE.CHANGE')}</Button>
        </div>
      </div>
      <Timeline stops={stops} now={now} />
    </section>
  );
}
