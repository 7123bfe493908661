import { severities, type TextLanguage, windowMode } from '#features/maintenance/contract/maintenance.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { Field } from '#web/ui/field.tsx';
import { Select, TextArea, TextInput } from '#web/ui/text-input.tsx';
import { Choice } from './choice.tsx';
import { longestText } from './plan-form.ts';
import { PhaseTexts } from './phase-texts.tsx';
import { PlanTimes, type PlanTimesProps } from './plan-times.tsx';

type PlanFieldsProps = PlanTimesProps & {
  /** The language in which the texts are being written. */
  language: TextLanguage;
  onLanguage: (language: TextLanguage) => void;
  /** The window has one text for all phases and languages, as windows of older releases have. */
  hasOneText: boolean;
};

/** The fields of a window. */
export function PlanFields(props: PlanFieldsProps) {
  const { form, onForm, language, onLanguage, hasOneText, problems, overlapping, now, started } = props;
  const { t } = useTranslation();
  const length = form.text.trim().length;
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
      <PlanTimes {...{ form, onForm, problems, overlapping, now, started }} />
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
