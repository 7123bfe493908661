import type { MaintenanceMode, TextLanguage } from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerClock } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { MaintenancePage } from '../../maintenance-page.tsx';
import { maintenanceKey } from '../maintenance-key.ts';
import { Stage } from '../plan/stage.tsx';
import { isEntry } from '../plan/stored-plan.ts';
import { useOwnLanguage } from '../plan/text-language.tsx';
import { entryAt, resolveEntry, type WallEntry } from '../plan/wall-entry.ts';
import { WallTimeField } from '../plan/wall-time-field.tsx';
import {
  firstOf,
  isTypedText,
  type TypedText,
  typedNotice,
  typedText,
  writtenIn,
} from '../plan/written-texts.ts';
import { ConnectedPeople } from '../connected-people.tsx';
import { useServerNow } from '../use-server-now.ts';
import { LanguageText } from './language-text.tsx';
import { settingWords } from './setting-problem.ts';
import { settingOf, useSendSetting } from './use-set-maintenance.ts';

type StartForm = { mode: MaintenanceMode; typed: TypedText; end: WallEntry };

const modes = ['full', 'read-only'] as const;

type StartDialogProps = { settings: MaintenanceSettings; onClose: () => void };

/** Starts maintenance at once, or changes what was started so. Shows how many people it concerns now. */
export function StartDialog({ settings, onClose }: StartDialogProps) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const send = useSendSetting();
  const now = useServerNow();
  const [zone] = useState(timeZone);
  const own = useOwnLanguage();
  const [language, setLanguage] = useState(own);
  const [tried, setTried] = useState(false);
  const isOn = settings.mode !== 'off';
  const form = useVersionedForm({
    saved: { values: formOf(settings, zone, own), version: settings.version },
    storedAs: 'maintenance-start',
    readStored: (values) =>
      modes.some((mode) => mode === values.mode) && isEntry(values.end) && isTypedText(values.typed)
        ? values
        : null,
    leaving: { counted: false },
    save: (values, version) =>
      send({
        ...settingOf(settings),
        mode: values.mode,
        text: firstOf(values.typed),
        texts: writtenIn(values.typed),
        expectedEnd: endOf(values, settings, zone),
        version,
      }),
    onSaved(saved) {
      notify({ kind: 'warning', title: t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(saved.mode)}.DONE`) });
      onClose();
    },
    reload: maintenanceKey,
  });
  const { values } = form;
  const text = firstOf(values.typed);
  const shown = values.typed[language].trim() === '' ? text : values.typed[language].trim();
  const mode = catalogueKey(values.mode);
  const resolved = resolveEntry(values.end, zone);
  const expectedEnd = endOf(values, settings, zone);
  const problems = problemsOf(t, form.error, settingWords, form.edited);
  // An end that was not touched may have passed: maintenance takes longer, and the server accepts it.
  const isPast = expectedEnd !== null && expectedEnd <= now && expectedEnd !== settings.expectedEnd;
  const isUnclear = resolved.kind !== 'one' && resolved.kind !== 'empty';
  const endProblem = () => {
    if (!tried) return problems.expectedEnd;
    if (isPast) return t('MAINTENANCE.CONSOLE.MODE.END_PAST');
    return isUnclear ? t('MAINTENANCE.CONSOLE.MODE.END_UNCLEAR') : problems.expectedEnd;
  };
  return (
    <FormDialog
      kind="wide"
      title={t(isOn ? 'MAINTENANCE.CONSOLE.MODE.CHANGE' : 'MAINTENANCE.CONSOLE.MODE.TITLE')}
      form={form}
      problem={problems.general}
      tone={values.mode === 'full' ? 'danger-primary' : 'primary'}
      action={t(
        values.mode === settings.mode
          ? 'MAINTENANCE.CONSOLE.PLAN.SAVE'
          : `MAINTENANCE.CONSOLE.MODES.${mode}.ACTION`,
      )}
      conflict={{
        keepMine: t('MAINTENANCE.CONSOLE.PLAN.KEEP_MINE'),
        takeTheirs: t('MAINTENANCE.CONSOLE.PLAN.TAKE_THEIRS'),
      }}
      onSubmit={() => {
        setTried(true);
        if (!isPast && !isUnclear) form.save();
      }}
      onClose={onClose}
    >
      <p>
        <ConnectedPeople />
      </p>
      <ModeChoice mode={values.mode} onMode={(chosen) => form.set({ mode: chosen })} />
      <p className="muted">{t('MAINTENANCE.CONSOLE.MODE.LEAD')}</p>
      <LanguageText
        label={t('MAINTENANCE.CONSOLE.MODE.TEXT')}
        hint={t('MAINTENANCE.CONSOLE.MODE.TEXT_HINT')}
        error={problems.text}
        typed={values.typed}
        language={language}
        onLanguage={setLanguage}
        onTyped={(typed) => form.set({ typed })}
      >
        {isOn || settings.text === '' || text !== '' ? null : (
          <span className="start-notice">
            <span className="muted">{t('MAINTENANCE.CONSOLE.MODE.NOTICE_GOES')}</span>{' '}
            <Button small tone="quiet" onClick={() => form.set({ typed: typedNotice(settings, own) })}>
              {t('MAINTENANCE.CONSOLE.MODE.USE_NOTICE')}
            </Button>
          </span>
        )}
      </LanguageText>
      <WallTimeField
        label={t('MAINTENANCE.CONSOLE.MODE.END')}
        hint={t('MAINTENANCE.CONSOLE.MODE.END_HINT', { zone: zone.replaceAll('_', ' ') })}
        error={endProblem()}
        required={false}
        entry={values.end}
        timeZone={zone}
        now={now}
        onEntry={(end) => form.set({ end })}
      />
      {values.mode === 'full' ? (
        <PagePreview text={shown} settings={settings} expectedEnd={isPast ? null : expectedEnd} />
      ) : null}
    </FormDialog>
  );
}

type ModeChoiceProps = { mode: MaintenanceMode; onMode: (mode: MaintenanceMode) => void };

function ModeChoice({ mode, onMode }: ModeChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{t('MAINTENANCE.CONSOLE.COLUMNS.MODE')}</legend>
      {modes.map((one) => (
        <label key={one} className="check">
          <input
            type="radio"
            name="maintenance-mode"
            value={one}
            checked={mode === one}
            onChange={() => onMode(one)}
          />
          <span>{t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(one)}.LABEL`)}</span>
          <span className="check-hint">{t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(one)}.EFFECT`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

type PagePreviewProps = { text: string; settings: MaintenanceSettings; expectedEnd: number | null };

function PagePreview({ text, settings, expectedEnd }: PagePreviewProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  return (
    <div className="maintenance-preview">
      <h3>{t('MAINTENANCE.CONSOLE.PAGE_PREVIEW')}</h3>
      <Stage wide={640}>
        <MaintenancePage
          notice={{ maintenanceText: text, maintenanceTextSeverity: settings.severity }}
          expectedEnd={expectedEnd}
          clock={clock}
        />
      </Stage>
    </div>
  );
}

const noEnd: WallEntry = { local: '', offset: null };

function formOf(settings: MaintenanceSettings, timeZone: string, language: TextLanguage): StartForm {
  const { mode } = settings;
  // A notice about what to do before the start is no text for the page: a button copies it.
  if (mode === 'off') return { mode: 'full', typed: typedText(), end: noEnd };
  return { mode, typed: typedNotice(settings, language), end: endEntry(settings, timeZone) };
}

function endEntry({ mode, expectedEnd }: MaintenanceSettings, timeZone: string): WallEntry {
  return mode === 'off' || expectedEnd === null ? noEnd : entryAt(expectedEnd, timeZone);
}

/** The expected end in milliseconds since the epoch; null: none. The field shows no seconds; untouched, it keeps them. */
function endOf({ end }: StartForm, settings: MaintenanceSettings, timeZone: string): number | null {
  const before = endEntry(settings, timeZone);
  if (before.local === end.local && before.offset === end.offset)
    return settings.mode === 'off' ? null : settings.expectedEnd;
  const resolved = resolveEntry(end, timeZone);
  return resolved.kind === 'one' ? resolved.at : null;
}
