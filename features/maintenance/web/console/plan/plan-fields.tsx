import { ZoneField } from '#features/profile/web/zone-field.tsx';
import { severities, type Severity, windowMode } from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minutesInWords } from '#web/platform/time/days.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { offsetName } from '#web/platform/time/time-zones.ts';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { shortTime } from '../../time-words.ts';
import { spanWords, withUtc } from '../windows/window-times.ts';
import { Choice } from './choice.tsx';
import { leadOf, spanOf, usualLeads, withEnd, type WindowForm, withStart } from './plan-form.ts';
import { LimitedText, PhaseTexts, type PhaseTextsProps } from './text-fields.tsx';
import { EndPresets, WallTimeField } from './wall-time-field.tsx';
import { useFormats } from '#web/platform/contexts.tsx';

type TimesProps = Pick<PhaseTextsProps, 'problems'> & {
  form: WindowForm;
  onForm: (change: Partial<WindowForm>) => void;
  /** A window that overlaps with this one. */
  overlapping: MaintenanceWindow | null;
  now: number;
  /** The window has started: its start and its lead time cannot be changed. */
  started: boolean;
};

type PlanFieldsProps = TimesProps &
  Pick<PhaseTextsProps, 'language' | 'onLanguage'> & {
    /** The window has one text for all phases and languages, as windows of older releases have. */
    hasOneText: boolean;
  };

/** The fields of a window. */
export function PlanFields({ language, onLanguage, hasOneText, ...times }: PlanFieldsProps) {
  const { t } = useTranslation();
  const { form, onForm, problems } = times;
  return (
    <div className="fields">
      <TextField
        label={t('MAINTENANCE.CONSOLE.PLAN.NAME')}
        hint={t('MAINTENANCE.CONSOLE.PLAN.NAME_HINT')}
        error={problems.title}
        required
        autoComplete="off"
        data-plan-first=""
        value={form.title}
        onValue={(title) => onForm({ title })}
      />
      <Times {...times} />
      <Choice
        legend={t('MAINTENANCE.CONSOLE.PLAN.MODE')}
        options={windowMode.options.toReversed().map((mode) => ({
          value: mode,
          label: t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.LABEL`),
          hint: t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.HINT`),
        }))}
        value={form.mode}
        onValue={(mode) => onForm({ mode })}
      />
      {form.mode === 'announce' ? (
        <p className="muted">{t('MAINTENANCE.CONSOLE.PLAN.ENDS_ANNOUNCE')}</p>
      ) : (
        <Choice
          legend={t('MAINTENANCE.CONSOLE.PLAN.ENDS')}
          options={[true, false].map((byItself) => ({
            value: byItself,
            label: t(`MAINTENANCE.CONSOLE.PLAN.ENDS_WHEN.${byItself ? 'BY_ITSELF' : 'BY_HAND'}.LABEL`),
            hint: t(`MAINTENANCE.CONSOLE.PLAN.ENDS_WHEN.${byItself ? 'BY_ITSELF' : 'BY_HAND'}.HINT`),
          }))}
          value={form.endsByItself}
          onValue={(endsByItself) => onForm({ endsByItself })}
        />
      )}
      <PhaseTexts
        texts={form.texts}
        language={language}
        onLanguage={onLanguage}
        onTexts={(texts) => onForm({ texts })}
        problems={problems}
        open={form.severity !== 'MEDIUM'}
      >
        <SeverityField
          hint={t('MAINTENANCE.CONSOLE.PLAN.SEVERITY_HINT')}
          severity={form.severity}
          onSeverity={(severity) => onForm({ severity })}
        />
      </PhaseTexts>
      {hasOneText ? (
        <LimitedText
          label={t('MAINTENANCE.CONSOLE.PLAN.TEXT')}
          hint={t('MAINTENANCE.CONSOLE.PLAN.TEXT_HINT')}
          error={problems.text}
          rows={3}
          value={form.text}
          onValue={(text) => onForm({ text })}
        />
      ) : null}
    </div>
  );
}

type SeverityFieldProps = {
  hint?: string;
  severity: Severity;
  onSeverity: (severity: Severity) => void;
};

export function SeverityField({ hint, severity, onSeverity }: SeverityFieldProps) {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t('MAINTENANCE.CONSOLE.NOTICE.SEVERITY')}
      hint={hint}
      value={severity}
      onValue={onSeverity}
      options={severities.map((value) => ({
        value,
        label: t(`MAINTENANCE.CONSOLE.SEVERITIES.${value}`),
      }))}
    />
  );
}

/** Start, end, time zone and lead time of a window. */
function Times({ form, onForm, problems, overlapping, now, started }: TimesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const own = formats.timeZone;
  const { startsAt, endsAt } = spanOf(form);
  const overlap =
    overlapping === null
      ? undefined
      : t('MAINTENANCE.CONSOLE.WRONG.OVERLAPS', {
          title: overlapping.title,
          times: withUtc(t, spanWords(formats, overlapping.startsAt, overlapping.endsAt)),
        });
  return (
    <>
      <div className="field-row">
        <WallTimeField
          label={t('MAINTENANCE.CONSOLE.PLAN.START')}
          entry={form.start}
          timeZone={form.timeZone}
          now={now}
          error={problems.start ?? overlap}
          disabled={started}
          onEntry={(start) => onForm(withStart(form, start))}
        />
        <WallTimeField
          label={t('MAINTENANCE.CONSOLE.PLAN.END')}
          entry={form.end}
          timeZone={form.timeZone}
          now={now}
          error={problems.end}
          note={
            form.endBy !== 'start' || startsAt === null || endsAt === null
              ? null
              : t('MAINTENANCE.CONSOLE.PLAN.END_FOLLOWS', { duration: formats.duration(endsAt - startsAt) })
          }
          onEntry={(end) => onForm(withEnd(form, end))}
        />
      </div>
      {startsAt === null ? null : (
        <EndPresets
          from={started ? now : startsAt}
          timeZone={form.timeZone}
          end={form.end}
          onEntry={(end) => onForm(withEnd(form, end))}
        />
      )}
      {started ? <p className="muted">{t('MAINTENANCE.CONSOLE.PLAN.STARTED')}</p> : null}
      <div className="field-row">
        <ZoneField
          label={t('MAINTENANCE.CONSOLE.ZONE.LABEL')}
          hint={t('MAINTENANCE.CONSOLE.ZONE.HINT', {
            offset: offsetName(minutesEastOfUtc(form.timeZone, now)),
          })}
          error={problems.timeZone}
          value={form.timeZone}
          first={[
            {
              key: own,
              label: t('MAINTENANCE.CONSOLE.ZONE.OWN', { zone: own.replaceAll('_', ' ') }),
              zone: own,
            },
          ]}
          now={now}
          onValue={(timeZone) =>
            onForm({
              timeZone,
              start: { ...form.start, offset: null },
              end: { ...form.end, offset: null },
            })
          }
        />
        <LeadField
          form={form}
          startsAt={startsAt}
          now={now}
          error={problems.lead}
          disabled={started}
          onLead={(lead) => onForm({ lead })}
        />
      </div>
    </>
  );
}

type LeadFieldProps = {
  form: WindowForm;
  startsAt: number | null;
  now: number;
  error: string | undefined;
  disabled: boolean;
  onLead: (minutes: string) => void;
};

/** How long before the start people are warned, with the resulting time. */
function LeadField({ form, startsAt, now, error, disabled, onLead }: LeadFieldProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { lead } = form;
  const [own, setOwn] = useState(!usualLeads.map(String).includes(lead));
  const words = () => {
    const minutes = leadOf(form);
    if (startsAt === null || minutes === null) return t('MAINTENANCE.CONSOLE.LEAD_TIME.HINT');
    if (minutes === 0) return t('MAINTENANCE.CONSOLE.LEAD_TIME.NONE');
    const from = startsAt - minutes * 60_000;
    if (from <= now) return t('MAINTENANCE.CONSOLE.LEAD_TIME.AT_ONCE');
    return t('MAINTENANCE.CONSOLE.LEAD_TIME.FROM', { time: shortTime(formats, from, now) });
  };
  return (
    <div className="stack gap-2">
      <SelectField
        label={t('MAINTENANCE.CONSOLE.LEAD_TIME.LABEL')}
        hint={words()}
        error={own ? null : error}
        disabled={disabled}
        value={own ? 'own' : lead}
        onValue={(chosen) => {
          setOwn(chosen === 'own');
          if (chosen !== 'own') onLead(chosen);
        }}
        options={[
          ...usualLeads.map((one) => ({
            value: String(one),
            label: t('MAINTENANCE.CONSOLE.LEAD_TIME.BEFORE', {
              duration: minutesInWords(formats.locale, one),
            }),
          })),
          { value: 'own', label: t('MAINTENANCE.CONSOLE.LEAD_TIME.OWN') },
        ]}
      />
      {own ? (
        <TextField
          label={t('MAINTENANCE.CONSOLE.LEAD_TIME.MINUTES')}
          error={error}
          inputMode="numeric"
          disabled={disabled}
          value={lead}
          onValue={onLead}
        />
      ) : null}
    </div>
  );
}
