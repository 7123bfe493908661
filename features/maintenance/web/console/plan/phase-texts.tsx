import { type TextLanguage, textLanguages } from '#features/maintenance/contract/maintenance.ts';
import { longestNotice, type TextPhase, textPhases } from '#features/maintenance/contract/texts.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import type { PlanProblems } from './plan-words.ts';
import { TextLanguageChoice } from './text-language.tsx';
import type { TypedTexts } from './written-texts.ts';

type PhaseTextsProps = {
  texts: TypedTexts;
  language: TextLanguage;
  onLanguage: (language: TextLanguage) => void;
  onTexts: (texts: TypedTexts) => void;
  problems: PlanProblems;
};

/** What people read in each phase, in one language at a time. */
export function PhaseTexts({ texts, language, onLanguage, onTexts, problems }: PhaseTextsProps) {
  const { t } = useTranslation();
  const written = textLanguages.filter((one) => textPhases.some((phase) => texts[phase][one].trim() !== ''));
  const field = (phase: TextPhase) => {
    const length = texts[phase][language].trim().length;
    return (
      <Field
        key={phase}
        label={t(`MAINTENANCE.CONSOLE.TEXTS.${catalogueKey(phase)}.LABEL`)}
        hint={
          length > longestNotice - 200
            ? t('MAINTENANCE.CONSOLE.PLAN.TEXT_LENGTH', { length, most: longestNotice })
            : t(`MAINTENANCE.CONSOLE.TEXTS.${catalogueKey(phase)}.HINT`)
        }
        error={problems[phase]}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            lang={language}
            value={texts[phase][language]}
            onValue={(text) => onTexts({ ...texts, [phase]: { ...texts[phase], [language]: text } })}
          />
        )}
      </Field>
    );
  };
  const later = [texts.late, texts.finished].some((one) => Object.values(one).some((text) => text !== ''));
  return (
    <fieldset className="phase-texts">
      <legend>{t('MAINTENANCE.CONSOLE.TEXTS.TITLE')}</legend>
      <TextLanguageChoice language={language} written={written} onLanguage={onLanguage} />
      {field('before')}
      {field('during')}
      <details open={later || problems.late !== undefined || problems.finished !== undefined}>
        <summary>{t('MAINTENANCE.CONSOLE.TEXTS.MORE')}</summary>
        <div className="fields">
          {field('late')}
          {field('finished')}
        </div>
      </details>
    </fieldset>
  );
}
