import {
  type MaintenanceMode,
  severities,
  type Severity,
  type TextLanguage,
} from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Notice, type NoticeSeverity } from '#web/ui/notice.tsx';
import { Choice } from '../plan/choice.tsx';
import { isEntry } from '../plan/plan-form.ts';
import { Picture } from '../plan/preview.tsx';
import { LanguageText, useOwnLanguage } from '../plan/text-fields.tsx';
import {
  EndPresets,
  entryAt,
  resolveEntry,
  type WallEntry,
  WallTimeField,
} from '../plan/wall-time-field.tsx';
import { firstOf, typedNotice, typedText, type TypedText } from '../plan/written-texts.ts';
import { ConnectedPeople } from '../presence.tsx';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { settingWords, useSettingForm } from './setting.ts';
import { SeverityField } from '../plan/plan-fields.tsx';

type StartForm = { mode: MaintenanceMode; typed: TypedText; end: WallEntry };

const modes = ['full', 'read-only'] as const;

/** Starts immediate maintenance or changes it, and shows how many people it concerns now. */
export function StartDialog({ settings, onClose }: { settings: MaintenanceSettings; onClose: () => void }) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const clock = useServerClock();
  const now = useServerNow();
  const [zone] = useState(timeZone);
  const own = useOwnLanguage();
  const [language, setLanguage] = useState(own);
  const [tried, setTried] = useState(false);
  const isOn = settings.mode !== 'off';
  const form = useSettingForm<StartForm>({
    settings,
    values: formOf(settings, zone, own),
    storedAs: 'maintenance-start',
    isKnown: (values) => modes.some((mode) => mode === values.mode) && isEntry(values.end),
    sent: (values) => ({ mode: values.mode, expectedEnd: endOf(values, settings, zone) }),
    onSaved(saved) {
      notify({ kind: 'warning', title: t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(saved.mode)}.DONE`) });
      onClose();
    },
  });
  const { values } = form;
  const text = firstOf(values.typed);
  const shown = values.typed[language].trim() || text;
  const mode = catalogueKey(values.mode);
  const resolved = resolveEntry(values.end, zone);
  const expectedEnd = endOf(values, settings, zone);
  const problems = problemsOf(t, form.error, settingWords, form.edited);
  // An unchanged end may have passed: maintenance takes longer, and the server accepts that end.
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
      onSubmit={() => {
        setTried(true);
        if (!isPast && !isUnclear) form.save();
      }}
      onClose={onClose}
    >
      <ConnectedPeople />
      <Choice
        legend={t('MAINTENANCE.CONSOLE.COLUMNS.MODE')}
        legendHidden
        options={modes.map((value) => ({
          value,
          label: t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(value)}.LABEL`),
          hint: t(`MAINTENANCE.CONSOLE.MODES.${catalogueKey(value)}.EFFECT`),
        }))}
        {...form.field('mode')}
      />
      <p className="muted">{t('MAINTENANCE.CONSOLE.MODE.LEAD')}</p>
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
      <EndPresets
        from={now}
        timeZone={zone}
        end={values.end}
        mayBeOpen
        onEntry={(end) => form.set({ end })}
      />
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
          <span className="row wrap">
            <small className="muted">{t('MAINTENANCE.CONSOLE.MODE.NOTICE_GOES')}</small>
            <Button small tone="quiet" onClick={() => form.set({ typed: typedNotice(settings, own) })}>
              {t('MAINTENANCE.CONSOLE.MODE.USE_NOTICE')}
            </Button>
          </span>
        )}
      </LanguageText>
      {values.mode === 'full' ? (
        <div className="sunk rounded pad-4 stack gap-2">
          <h3>{t('MAINTENANCE.CONSOLE.PAGE_PREVIEW')}</h3>
          <Picture
            wide={640}
            shows="page"
            notice={{ maintenanceText: shown, maintenanceTextSeverity: settings.severity }}
            expectedEnd={isPast ? null : expectedEnd}
            clock={clock}
          />
        </div>
      ) : null}
    </FormDialog>
  );
}

const noEnd: WallEntry = { local: '', offset: null };

function formOf(settings: MaintenanceSettings, timeZone: string, language: TextLanguage): StartForm {
  const { mode } = settings;
  // A notice from before the start is not meant for the page, whose text begins empty: a button copies the notice.
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

const looks: Record<Severity, NoticeSeverity> = { HIGH: 'high', MEDIUM: 'medium', INFO: 'info' };

type NoticeDraft = { typed: TypedText; severity: Severity };

/** The banner above every page: its severity and text, with a preview. */
export function NoticeDialog({ settings, onClose }: { settings: MaintenanceSettings; onClose: () => void }) {
  const { t } = useTranslation();
  const own = useOwnLanguage();
  const [language, setLanguage] = useState(own);
  const [isEmpty, setIsEmpty] = useState(false);
  const form = useSettingForm<NoticeDraft>({
    settings,
    values: {
      typed: typedNotice(settings, own),
      severity: settings.text === '' ? 'MEDIUM' : settings.severity,
    },
    storedAs: 'maintenance-notice',
    isKnown: ({ severity }) => severities.includes(severity),
    sent: ({ severity }) => ({ severity }),
    onSaved() {
      notify({ kind: 'success', title: t('MAINTENANCE.CONSOLE.NOTICE.PUBLISHED') });
      onClose();
    },
  });
  const { typed, severity } = form.values;
  const text = firstOf(typed);
  const shown = typed[language].trim() || text;
  const problems = problemsOf(t, form.error, settingWords, form.edited);
  return (
    <FormDialog
      title={t(
        settings.text === '' ? 'MAINTENANCE.CONSOLE.NOTICE.OPEN' : 'MAINTENANCE.CONSOLE.NOTICE.CHANGE',
      )}
      form={form}
      problem={problems.general ?? problems.expectedEnd}
      action={t('MAINTENANCE.CONSOLE.NOTICE.PUBLISH')}
      onSubmit={() => {
        setIsEmpty(text === '');
        if (text !== '') form.save();
      }}
      onClose={onClose}
    >
      <p className="muted">{t('MAINTENANCE.CONSOLE.NOTICE.LEAD')}</p>
      <LanguageText
        label={t('MAINTENANCE.CONSOLE.NOTICE.TEXT')}
        hint={t('MAINTENANCE.CONSOLE.NOTICE.TEXT_HINT')}
        error={isEmpty && text === '' ? t('MAINTENANCE.CONSOLE.NOTICE.NO_TEXT') : problems.text}
        required
        first
        typed={typed}
        language={language}
        onLanguage={setLanguage}
        onTyped={(next) => form.set({ typed: next })}
      />
      <SeverityField severity={severity} onSeverity={(chosen) => form.set({ severity: chosen })} />
      {shown === '' ? null : (
        <div className="sunk rounded pad-4 stack gap-2">
          <h3>{t('MAINTENANCE.CONSOLE.NOTICE.PREVIEW')}</h3>
          <Notice severity={looks[severity]} severityLabel={t(`MAINTENANCE.CONSOLE.SEVERITIES.${severity}`)}>
            {shown}
          </Notice>
        </div>
      )}
    </FormDialog>
  );
}
