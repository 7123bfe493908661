import {
  type DiagnosticSettings,
  diagnosticSettings,
  setDiagnosticSettings,
} from '#features/diagnostics/contract/projects.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsForm, SettingsSection, useSettingsForm } from '#features/settings/web/settings-form.tsx';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { Field, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Checkbox, TextArea } from '#web/ui/text-input.tsx';
import { settingsKey, settingsQuery } from '../errors-queries.ts';

type Loaded = DiagnosticSettings & { stored: { events: number; bytes: number }; mails: boolean };

/** How long errors are stored, when they raise an alert, and who receives it. */
export function AlertsSection() {
  const { t } = useTranslation();
  const settings = useQuery(settingsQuery);
  return (
    <SettingsSection
      id="diagnostics-alerts"
      title={t('DIAGNOSTICS_SETTINGS.STORAGE.TITLE')}
      lead={t('DIAGNOSTICS_SETTINGS.STORAGE.LEAD')}
      divided
      settings={settings}
      history="diagnostics"
    >
      {(loaded) => <AlertsForm settings={loaded} />}
    </SettingsSection>
  );
}

function AlertsForm({ settings }: { settings: Loaded }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const [wrong, setWrong] = useState<readonly (keyof SettingsDraft)[]>([]);
  const form = useSettingsForm({
    saved: { values: draftOf(settings), version: settings.version },
    save: (values, version) =>
      api.call(setDiagnosticSettings, { body: { ...sentSettings(values), version } }),
    queryKey: settingsKey,
    notice: { key: 'diagnostics', title: t('DIAGNOSTICS_SETTINGS.SAVED') },
  });
  const { values, set } = form;
  const errorOf = (field: keyof SettingsDraft) =>
    wrong.includes(field) ? t(`DIAGNOSTICS_SETTINGS.ERRORS.${words[field]}`) : undefined;
  const figure = (field: 'days' | 'megabytes' | 'rate' | 'minutes', key: string) => (
    <TextField
      label={t(`DIAGNOSTICS_SETTINGS.STORAGE.${key}`)}
      error={errorOf(field)}
      inputMode="numeric"
      maxLength={7}
      value={values[field]}
      onValue={(text) => set({ [field]: text })}
    />
  );
  const { events, bytes } = settings.stored;
  const megabytes = formats.number(Math.ceil(bytes / 1024 / 1024));

  return (
    <SettingsForm
      form={form}
      onSubmit={() => {
        const found = wrongFields(values);
        setWrong(found);
        if (found.length === 0) form.save();
      }}
    >
      <div className="field-row">
        {figure('days', 'DAYS')}
        {figure('megabytes', 'MEGABYTES')}
      </div>
      <p className="muted">
        {t('DIAGNOSTICS_SETTINGS.STORAGE.STORED', {
          count: events,
          events: formats.number(events),
          megabytes,
        })}
      </p>

      <fieldset className="choice">
        <legend>{t('DIAGNOSTICS_SETTINGS.ALERTS.TITLE')}</legend>
        <Checkbox label={t('DIAGNOSTICS_SETTINGS.ALERTS.NEW')} {...form.check('onNew')} />
        <Checkbox label={t('DIAGNOSTICS_SETTINGS.ALERTS.RETURNED')} {...form.check('onReturned')} />
        <Checkbox label={t('DIAGNOSTICS_SETTINGS.ALERTS.RATE')} {...form.check('onRate')} />
      </fieldset>
      {values.onRate ? (
        <div className="field-row">
          {figure('rate', 'RATE')}
          {figure('minutes', 'MINUTES')}
        </div>
      ) : null}
      <Field
        label={t('DIAGNOSTICS_SETTINGS.ALERTS.MAILS')}
        hint={t('DIAGNOSTICS_SETTINGS.ALERTS.MAILS_HINT')}
        error={errorOf('mails')}
      >
        {(control) => <TextArea {...control} rows={3} {...form.field('mails')} />}
      </Field>
      {settings.mails || values.mails.trim() === '' ? null : (
        <Notice severity="medium">{t('DIAGNOSTICS_SETTINGS.ALERTS.NO_MAIL')}</Notice>
      )}
      <p className="muted">
        {t('DIAGNOSTICS_SETTINGS.ALERTS.WEBHOOKS')} <Link to="/webhooks">{t('WEBHOOKS.TITLE')}</Link>
      </p>
    </SettingsForm>
  );
}

const words: Record<keyof SettingsDraft, string> = {
  days: 'DAYS',
  megabytes: 'MEGABYTES',
  onNew: '',
  onReturned: '',
  onRate: '',
  rate: 'RATE',
  minutes: 'MINUTES',
  mails: 'MAILS',
};

/** The settings as they are typed. */
type SettingsDraft = {
  days: string;
  megabytes: string;
  onNew: boolean;
  onReturned: boolean;
  onRate: boolean;
  rate: string;
  minutes: string;
  /** One address a line. */
  mails: string;
};

const usualRate = 100;

function draftOf(settings: DiagnosticSettings): SettingsDraft {
  return {
    days: String(settings.eventDays),
    megabytes: String(settings.eventMegabytes),
    onNew: settings.alertNew,
    onReturned: settings.alertReturned,
    onRate: settings.alertEvents !== null,
    rate: String(settings.alertEvents ?? usualRate),
    minutes: String(settings.alertMinutes),
    mails: settings.alertMails.join('\n'),
  };
}

/** The settings in the server's format. */
function sentSettings(draft: SettingsDraft): Omit<DiagnosticSettings, 'version'> {
  return {
    eventDays: figureOf(draft.days),
    eventMegabytes: figureOf(draft.megabytes),
    alertNew: draft.onNew,
    alertReturned: draft.onReturned,
    alertEvents: draft.onRate ? figureOf(draft.rate) : null,
    alertMinutes: figureOf(draft.minutes),
    alertMails: draft.mails.split(/[\s,;]+/).filter((mail) => mail !== ''),
  };
}

const fieldOf: Partial<Record<string, keyof SettingsDraft>> = {
  eventDays: 'days',
  eventMegabytes: 'megabytes',
  alertEvents: 'rate',
  alertMinutes: 'minutes',
  alertMails: 'mails',
};

/** The fields that the server would refuse. */
function wrongFields(draft: SettingsDraft): (keyof SettingsDraft)[] {
  const read = diagnosticSettings.safeParse({ ...sentSettings(draft), version: 1 });
  return (read.error?.issues ?? []).flatMap(({ path }) => fieldOf[String(path[0])] ?? []);
}

function figureOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}
