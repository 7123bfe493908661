import { severities, type TextLanguage, windowMode } from '@portico/contract/maintenance';
import type { MaintenanceWindow } from '@portico/contract/maintenance/windows';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../../../platform/i18n/catalogue-key.ts';
import { useFormats } from '../../../../platform/i18n/formats-context.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select, TextArea, TextInput } from '../../../../ui/text-input.tsx';
import { spanWords } from '../windows/window-times.ts';
import { LeadField } from './lead-field.tsx';
import { leadOf, longestText, spanOf, withEnd, withStart, type WindowForm } from './plan-form.ts';
import { PhaseTexts } from './phase-texts.tsx';
import { overlapInWords, type PlanProblems } from './plan-words.ts';
import { WallTimeField } from './wall-time-field.tsx';
import { ZoneField } from './zone-field.tsx';

type PlanFieldsProps = {
  form: WindowForm;
  onForm: (form: WindowForm) => void;
  /** The language in which the texts are being written. */
  language: TextLanguage;
  onLanguage: (language: TextLanguage) => void;
  /** It was planned with one text for all phases and languages. */
  hasOneText: boolean;
  problems: PlanProblems;
  /** A window that overlaps. */
  overlapping: MaintenanceWindow | null;
  now: number;
  /** It has started: its start and its lead time stay as they are. */
  started: boolean;
};

/** The fields of a window. */
export function PlanFields(props: PlanFieldsProps) {
  const { form, onForm, language, onLanguage, hasOneText, problems, overlapping, now, started } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const { startsAt, endsAt } = spanOf(form);
  const length = form.text.trim().length;
  const overlap =
    overlapping === null
      ? undefined
      : overlapInWords(t, overlapping, spanWords(formats, overlapping.startsAt, overlapping.endsAt));
  return (
    <div className="fields">
      <Field
        label={t('MAINTENANCE.CONSOLE.PLAN.NAME')}
        hint={t('MAINTENANCE.CONSOLE.PLAN.NAME_HINT')}
        error={problems.title}
        required
        requiredMark={t('COMMON.REQUIRED')}
      >
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            data-plan-first=""
            value={form.title}
            onValue={(title) => onForm({ ...form, title })}
          />
        )}
      </Field>
      <PhaseTexts
        texts={form.texts}
        language={language}
        onLanguage={onLanguage}
        onTexts={(texts) => onForm({ ...form, texts })}
        problems={problems}
      />
      {hasOneText ? (
        <Field
          label={t('MAINTENANCE.CONSOLE.PLAN.TEXT')}
          hint={
            length > longestText - 200
              ? t('MAINTENANCE.CONSOLE.PLAN.TEXT_LENGTH', { length, most: longestText })
              : t('MAINTENANCE.CONSOLE.PLAN.TEXT_HINT')
          }
          error={problems.text}
        >
          {(control) => (
            <TextArea {...control} rows={3} value={form.text} onValue={(text) => onForm({ ...form, text })} />
          )}
        </Field>
      ) : null}
      <Field
        label={t('MAINTENANCE.CONSOLE.NOTICE.SEVERITY')}
        hint={t('MAINTENANCE.CONSOLE.PLAN.SEVERITY_HINT')}
      >
        {(control) => (
          <Select
            {...control}
            value={form.severity}
            onValue={(severity) => onForm({ ...form, severity })}
            options={severities.map((value) => ({
              value,
              label: t(`MAINTENANCE.CONSOLE.SEVERITIES.${value}`),
            }))}
          />
        )}
      </Field>
      <Choice
        legend={t('MAINTENANCE.CONSOLE.PLAN.MODE')}
        options={windowMode.options.toReversed().map((mode) => ({
          label: t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.LABEL`),
          hint: t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(mode)}.HINT`),
          checked: form.mode === mode,
          choose: () => onForm({ ...form, mode }),
        }))}
      />
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
      {started ? <p className="muted">{t('MAINTENANCE.CONSOLE.PLAN.STARTED')}</p> : null}
      <ZoneField
        value={form.timeZone}
        now={now}
        error={problems.timeZone}
        onValue={(timeZone) =>
          onForm({
            ...form,
            timeZone,
            start: { ...form.start, offset: null },
            end: { ...form.end, offset: null },
          })
        }
      />
      <LeadField
        value={form.lead}
        minutes={leadOf(form)}
        startsAt={startsAt}
        now={now}
        error={problems.lead}
        disabled={started}
        onValue={(lead) => onForm({ ...form, lead })}
      />
      {form.mode === 'announce' ? (
        <p className="muted">{t('MAINTENANCE.CONSOLE.PLAN.ENDS_ANNOUNCE')}</p>
      ) : (
        <Choice
          legend={t('MAINTENANCE.CONSOLE.PLAN.ENDS')}
          options={[true, false].map((byItself) => ({
            label: t(`MAINTENANCE.CONSOLE.PLAN.ENDS_WHEN.${byItself ? 'BY_ITSELF' : 'BY_HAND'}.LABEL`),
            hint: t(`MAINTENANCE.CONSOLE.PLAN.ENDS_WHEN.${byItself ? 'BY_ITSELF' : 'BY_HAND'}.HINT`),
            checked: form.endsByItself === byItself,
            choose: () => onForm({ ...form, endsByItself: byItself }),
          }))}
        />
      )}
    </div>
  );
}

type ChoiceProps = {
  legend: string;
  options: readonly { label: string; hint: ReactNode; checked: boolean; choose: () => void }[];
};

/** A choice of a few, each explained. */
function Choice({ legend, options }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {options.map(({ label, hint, checked, choose }) => (
        <label key={label} className="check">
          <input type="radio" name={name} checked={checked} onChange={choose} />
          <span>{label}</span>
          <span className="check-hint">{hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
