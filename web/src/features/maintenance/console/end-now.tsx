import type { MaintenanceSettings } from '@portico/contract/maintenance/settings';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../platform/contexts.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmAction } from '../../../ui/confirm-action.tsx';
import { settingProblem } from './by-hand/setting-problem.tsx';
import { useSetMaintenance } from './by-hand/use-set-maintenance.ts';
import { TouchedPeople } from './touched-people.tsx';

type EndNowProps = {
  settings: MaintenanceSettings;
  /** A window that stays in force after the switch is off; null: none. */
  goesOn: MaintenanceWindow | null;
};

/** Ends the maintenance that was started by hand, beside the text that it is on; asks for confirmation. */
export function EndNow({ settings, goesOn }: EndNowProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [asking, setAsking] = useState(false);
  const end = useSetMaintenance();
  if (!can('MAINTENANCE_WRITE')) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('MAINTENANCE.CONSOLE.MODES.OFF.ACTION')}</Button>
      {asking ? (
        <ConfirmAction
          title={t('MAINTENANCE.CONSOLE.MODES.OFF.QUESTION')}
          confirmLabel={t('MAINTENANCE.CONSOLE.MODES.OFF.ACTION')}
          action={() => end.mutateAsync({ ...settings, mode: 'off', expectedEnd: null })}
          problem={(error) => settingProblem(t, error)}
          done={t(
            goesOn === null
              ? 'MAINTENANCE.CONSOLE.MODES.OFF.DONE'
              : 'MAINTENANCE.CONSOLE.END_NOW.DONE_BY_HAND',
          )}
          onDone={() => setAsking(false)}
          onCancel={() => setAsking(false)}
        >
          <div className="fields">
            <p>
              <TouchedPeople />
            </p>
            <EndEffect settings={settings} goesOn={goesOn} />
          </div>
        </ConfirmAction>
      ) : null}
    </>
  );
}

/** What ending it by hand changes, and what it does not. */
export function EndEffect({ settings, goesOn }: EndNowProps) {
  const { t } = useTranslation();
  return (
    <p>
      {goesOn === null
        ? t('MAINTENANCE.CONSOLE.MODES.OFF.EFFECT')
        : t('MAINTENANCE.CONSOLE.END_NOW.WINDOW_GOES_ON', { title: goesOn.title })}{' '}
      {settings.text === '' ? null : t('MAINTENANCE.CONSOLE.END_NOW.NOTICE_STAYS')}
    </p>
  );
}
