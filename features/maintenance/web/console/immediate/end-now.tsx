import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { ConnectedPeople } from '../connected-people.tsx';
import { settingProblem } from './setting-problem.ts';
import { settingOf, useSetMaintenance } from './use-set-maintenance.ts';

type EndNowProps = {
  settings: MaintenanceSettings;
  /** A window that stays in force after the switch is off; null: none. */
  goesOn: MaintenanceWindow | null;
};

/** Ends the maintenance that was started at once, with its text unless that is wanted still; asks for confirmation. */
export function EndNow({ settings, goesOn }: EndNowProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [keeps, setKeeps] = useState(false);
  const end = useSetMaintenance();
  return (
    <>
      <Button
        tone="primary"
        onClick={() => {
          setKeeps(false);
          setAsking(true);
        }}
      >
        {t('MAINTENANCE.CONSOLE.MODES.OFF.ACTION')}
      </Button>
      {asking ? (
        <ConfirmAction
          title={t('MAINTENANCE.CONSOLE.MODES.OFF.QUESTION')}
          confirmLabel={t('MAINTENANCE.CONSOLE.MODES.OFF.ACTION')}
          action={() =>
            end.mutateAsync({
              ...settingOf(settings),
              mode: 'off',
              text: keeps ? settings.text : '',
              expectedEnd: null,
            })
          }
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
              <ConnectedPeople />
            </p>
            <p>
              {goesOn === null
                ? t('MAINTENANCE.CONSOLE.MODES.OFF.EFFECT')
                : t('MAINTENANCE.CONSOLE.END_NOW.WINDOW_GOES_ON', { title: goesOn.title })}
            </p>
            {settings.text === '' ? null : (
              <label className="check">
                <input type="checkbox" checked={keeps} onChange={(event) => setKeeps(event.target.checked)} />
                <span>{t('MAINTENANCE.CONSOLE.END_NOW.KEEP')}</span>
                <span className="check-hint" dir="auto">
                  {settings.text}
                </span>
              </label>
            )}
          </div>
        </ConfirmAction>
      ) : null}
    </>
  );
}
