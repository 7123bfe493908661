import { maintenanceMode, type MaintenanceMode } from '@portico/contract/maintenance';
import { type MaintenanceSettings } from '@portico/contract/maintenance/settings';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '../../../../platform/contexts.tsx';
import { catalogueKey } from '../../../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../../../platform/i18n/formats-context.tsx';
import { useUnsavedWork } from '../../../../platform/forms/unsaved-work.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmAction } from '../../../../ui/confirm-action.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { notify } from '../../../../ui/notifications/notifications.ts';
import { MaintenancePage } from '../../maintenance-page.tsx';
import { EndEffect } from '../end-now.tsx';
import { entryAt, resolveEntry, type WallEntry } from '../plan/wall-entry.ts';
import { WallTimeField } from '../plan/wall-time-field.tsx';
import { settingProblem } from './setting-problem.tsx';
import { TouchedPeople } from '../touched-people.tsx';
import { useServerNow } from '../use-server-now.ts';
import { useSetMaintenance } from './use-set-maintenance.ts';

/**
 * The manual switch: open, read only, closed. It concerns every person at once, so it asks for confirmation.
 */
export function ModeSection({
  settings,
  running,
}: {
  settings: MaintenanceSettings;
  /** The window that is in force. */
  running: MaintenanceWindow | null;
}) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const clock = useServerClock();
  const now = useServerNow();
  const [mode, setMode] = useState<MaintenanceMode>(settings.mode);
  const [end, setEnd] = useState<WallEntry>(() => entryOf(settings, timeZone));
  const [zone, setZone] = useState(timeZone);
  const [known, setKnown] = useState(settings);
  const [asking, setAsking] = useState(false);
  const isChanged = (from: MaintenanceSettings) =>
    mode !== from.mode || (mode !== 'off' && !isSame(end, entryOf(from, timeZone)));
  if (zone !== timeZone) {
    // The field now shows the same time in another zone.
    const there = resolveEntry(end, zone);
    setZone(timeZone);
    if (there.kind === 'one') setEnd(entryAt(there.at, timeZone));
  }
  if (known.version !== settings.version) {
    // Changed by another operator: shown unless it was touched here.
    setKnown(settings);
    if (!isChanged(known)) {
      setMode(settings.mode);
      setEnd(entryOf(settings, timeZone));
    }
  }
  const resolved = resolveEntry(end, timeZone);
  const typedEnd = resolved.kind === 'one' ? resolved.at : null;
  // The field shows no seconds; an unchanged end keeps them.
  const endIsNew = !isSame(end, entryOf(settings, timeZone));
  const expectedEnd = mode === 'off' ? null : endIsNew ? typedEnd : settings.expectedEnd;
  const changed = isChanged(settings);
  // An unchanged end may have passed: maintenance takes longer, and the server accepts it.
  const endIsPast = mode !== 'off' && endIsNew && expectedEnd !== null && expectedEnd <= now;
  const endIsUnclear = mode !== 'off' && endIsNew && resolved.kind !== 'one' && resolved.kind !== 'empty';
  const closing = running === null || running.mode === 'announce' ? null : running;
  useUnsavedWork(changed, { counted: false });

  const change = useSetMaintenance();

  return (
    <section className="section">
      <div>
        <h3>{t('MAINTENANCE.CONSOLE.MODE.TITLE')}</h3>
        <p className="muted">{t('MAINTENANCE.CONSOLE.MODE.LEAD')}</p>
      </div>
      {closing === null ? null : (
        <Notice severity="info">{t('MAINTENANCE.CONSOLE.MODE.WINDOW', { title: closing.title })}</Notice>
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
        <WallTimeField
          label={t('MAINTENANCE.CONSOLE.MODE.END')}
          hint={t('MAINTENANCE.CONSOLE.MODE.END_HINT', { zone: timeZone.replaceAll('_', ' ') })}
          error={endIsPast ? t('MAINTENANCE.CONSOLE.MODE.END_PAST') : undefined}
          required={false}
          entry={end}
          timeZone={timeZone}
          now={now}
          onEntry={setEnd}
        />
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
            disabled={!changed || endIsPast || endIsUnclear}
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
      {asking ? (
        <ConfirmAction
          title={t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.QUESTION`)}
          confirmLabel={t(
            mode === settings.mode
              ? 'MAINTENANCE.CONSOLE.MODE.SAVE_END'
              : `MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.ACTION`,
          )}
          tone={mode === 'full' ? 'danger' : 'primary'}
          action={() => change.mutateAsync({ ...settings, mode, expectedEnd })}
          problem={(error) => settingProblem(t, error)}
          onDone={(saved) => {
            setAsking(false);
            notify({
              kind: saved.mode === 'off' ? 'success' : 'warning',
              title: t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(saved.mode)}.DONE`),
            });
          }}
          onCancel={() => setAsking(false)}
        >
          <div className="fields">
            <p>
              <TouchedPeople />
            </p>
            {mode === 'off' ? (
              <EndEffect settings={settings} goesOn={closing} />
            ) : (
              <p>{t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(mode)}.EFFECT`)}</p>
            )}
          </div>
        </ConfirmAction>
      ) : null}
    </section>
  );
}

const noEnd: WallEntry = { local: '', offset: null };

function entryOf({ expectedEnd }: MaintenanceSettings, timeZone: string): WallEntry {
  return expectedEnd === null ? noEnd : entryAt(expectedEnd, timeZone);
}

function isSame(a: WallEntry, b: WallEntry): boolean {
  return a.local === b.local && a.offset === b.offset;
}
