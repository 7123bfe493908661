import {
  maintenanceMode,
  type MaintenanceMode,
  type MaintenanceSettings,
} from '@portico/contract/maintenance';
import type { MaintenanceWindow } from '@portico/contract/maintenance-windows';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '../../../../platform/contexts.tsx';
import { catalogueKey } from '../../../../platform/i18n/catalogue-key.ts';
import { useGuardedLeaving } from '../../../../platform/unsaved-work.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialog.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { notify } from '../../../../ui/notifications/notifications.ts';
import { TextInput } from '../../../../ui/text-input.tsx';
import { MaintenancePage } from '../../maintenance-page.tsx';
import { localInput, readLocalInput } from './local-input.ts';
import { SettingProblem } from './setting-problem.tsx';
import { TouchedPeople } from '../touched-people.tsx';
import { useServerNow } from '../use-server-now.ts';
import { useSetMaintenance } from './use-set-maintenance.ts';

/** The manual switch: open, read only, closed. It touches everybody at once, so it asks once, in words. */
export function ModeSection({
  settings,
  running,
}: {
  settings: MaintenanceSettings;
  /** The window that is in force. */
  running: MaintenanceWindow | null;
}) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const now = useServerNow();
  const [mode, setMode] = useState<MaintenanceMode>(settings.mode);
  const [end, setEnd] = useState(() => endInput(settings));
  const [known, setKnown] = useState(settings);
  const [asking, setAsking] = useState(false);
  const isChanged = (from: MaintenanceSettings) =>
    mode !== from.mode || (mode !== 'off' && end !== endInput(from));
  if (known.version !== settings.version) {
    // Somebody else has changed it: who has not touched it here sees that.
    setKnown(settings);
    if (!isChanged(known)) {
      setMode(settings.mode);
      setEnd(endInput(settings));
    }
  }
  // The field shows no seconds; what was not touched keeps them.
  const keptEnd = end === endInput(settings) ? settings.expectedEnd : readLocalInput(end);
  const expectedEnd = mode === 'off' ? null : keptEnd;
  const changed = isChanged(settings);
  // One that was not touched may have passed: maintenance takes longer, and the server lets it stand.
  const endIsPast =
    mode !== 'off' && end !== endInput(settings) && expectedEnd !== null && expectedEnd <= now;
  useGuardedLeaving(changed);

  const change = useSetMaintenance((saved) => {
    setAsking(false);
    notify({
      kind: saved.mode === 'off' ? 'success' : 'warning',
      title: t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(saved.mode)}.DONE`),
    });
  });

  return (
    <section className="section">
      <div>
        <h3>{t('MAINTENANCE.CONSOLE.MODE.TITLE')}</h3>
        <p className="muted">{t('MAINTENANCE.CONSOLE.MODE.LEAD')}</p>
      </div>
      {running === null || running.mode === 'announce' ? null : (
        <Notice severity="info">{t('MAINTENANCE.CONSOLE.MODE.WINDOW', { title: running.title })}</Notice>
      )}
      <fieldset className="choice">
        <legend className="visually-hidden">{t('MAINTENANCE.CONSOLE.MODE.TITLE')}</legend>
        {maintenanceMode.options.map((one) => (
          <label key={one} className="check">
            <input
              type="radio"
              name="maintenance-mode"
              value={one}
              checked={mode === one}
              onChange={() => setMode(one)}
            />
            <span>{t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(one)}.LABEL`)}</span>
            <span className="check-hint">{t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(one)}.HINT`)}</span>
          </label>
        ))}
      </fieldset>
      {mode === 'off' ? null : (
        <Field
          label={t('MAINTENANCE.CONSOLE.MODE.END')}
          hint={t('MAINTENANCE.CONSOLE.MODE.END_HINT')}
          error={endIsPast ? t('MAINTENANCE.CONSOLE.MODE.END_PAST') : null}
        >
          {(control) => <TextInput {...control} type="datetime-local" value={end} onValue={setEnd} />}
        </Field>
      )}
      {mode === 'full' ? (
        <div className="maintenance-preview">
          <h4>{t('MAINTENANCE.CONSOLE.PAGE_PREVIEW')}</h4>
          <div className="maintenance-preview-page" aria-hidden="true" inert>
            <MaintenancePage
              notice={{ maintenanceText: settings.text, maintenanceTextSeverity: settings.severity }}
              expectedEnd={expectedEnd}
              clock={clock}
            />
          </div>
        </div>
      ) : null}
      {mode === 'off' && !changed ? null : (
        <div className="button-row">
          <Button
            tone={mode === 'full' ? 'danger-primary' : 'primary'}
            disabled={!changed || endIsPast}
            onClick={() => setAsking(true)}
          >
            {t(
              mode === settings.mode
                ? 'MAINTENANCE.CONSOLE.MODE.SAVE_END'
                : `MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.ACTION`,
            )}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        title={t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.QUESTION`)}
        confirmLabel={t(
          mode === settings.mode
            ? 'MAINTENANCE.CONSOLE.MODE.SAVE_END'
            : `MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.ACTION`,
        )}
        cancelLabel={t('COMMON.CANCEL')}
        closeLabel={t('COMMON.CLOSE')}
        tone={mode === 'full' ? 'danger' : 'primary'}
        busy={change.isPending}
        onConfirm={() => change.mutate({ ...settings, mode, expectedEnd })}
        onCancel={() => {
          setAsking(false);
          change.reset();
        }}
      >
        <div className="fields">
          <p>
            <TouchedPeople />
          </p>
          <p>{t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.EFFECT`)}</p>
          <SettingProblem error={change.error} />
        </div>
      </ConfirmDialog>
    </section>
  );
}

function endInput({ expectedEnd }: MaintenanceSettings): string {
  return expectedEnd === null ? '' : localInput(expectedEnd);
}
