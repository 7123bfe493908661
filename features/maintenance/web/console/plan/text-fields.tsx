import { type TextLanguage, textLanguages } from '#features/maintenance/contract/maintenance.ts';
import { longestNotice, type TextPhase, textPhases } from '#features/maintenance/contract/texts.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asLanguage, languages } from '#web/platform/i18n/language.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { Choice } from './choice.tsx';
import type { PlanProblems } from './plan-words.ts';
import type { TypedText, TypedTexts } from './written-texts.ts';

type LanguageProps = {
  /** The language in which the texts are being written. */
  language: TextLanguage;
  onLanguage: (language: TextLanguage) => void;
};

/** The language of this screen, in which texts are written first. */
export function useOwnLanguage(): TextLanguage {
  const { i18n } = useTranslation();
  return asLanguage(i18n.language) ?? 'en';
}

type LanguageTextProps = LanguageProps & {
  label: string;
  hint: string;
  error: string | undefined;
  required?: boolean;
  /** The dialog's focus begins in this field. */
  first?: boolean;
  typed: TypedText;
  onTyped: (typed: TypedText) => void;
  /** Below the field. */
  children?: ReactNode;
};

/** A text for everyone, in one language at a time. */
export function LanguageText(props: LanguageTextProps) {
  const { required = false, first = false, typed, language, onLanguage, onTyped, children, ...words } = props;
  return (
    <>
      <LanguageChoice texts={[typed]} language={language} onLanguage={onLanguage} />
      <Field {...words} required={required}>
        {(control) => (
          <>
            <TextArea
              {...control}
              data-autofocus={first ? '' : undefined}
              rows={3}
              lang={language}
              maxLength={longestNotice}
              value={typed[language]}
              onValue={(text) => onTyped({ ...typed, [language]: text })}
            />
            {children}
          </>
        )}
      </Field>
    </>
  );
}

export type PhaseTextsProps = LanguageProps & {
  texts: TypedTexts;
  onTexts: (texts: TypedTexts) => void;
  problems: PlanProblems;
  /** Whether the folded fields are shown at first even if no text is written in them. */
  open: boolean;
  /** Folded with the texts of late phases. */
  children: ReactNode;
};

/** What people read in each phase, in one language at a time. */
export function PhaseTexts(props: PhaseTextsProps) {
  const { texts, language, onLanguage, onTexts, problems, children } = props;
  const { t } = useTranslation();
  const field = (phase: TextPhase) => (
    <LimitedText
      key={phase}
      label={t(`MAINTENANCE.CONSOLE.TEXTS.${catalogueKey(phase)}.LABEL`)}
      hint={t(`MAINTENANCE.CONSOLE.TEXTS.${catalogueKey(phase)}.HINT`)}
      error={problems[phase]}
      rows={2}
      lang={language}
      value={texts[phase][language]}
      onValue={(text) => onTexts({ ...texts, [phase]: { ...texts[phase], [language]: text } })}
    />
  );
  const later = [texts.late, texts.finished].some((one) => Object.values(one).some((text) => text !== ''));
  const [opened] = useState(props.open || later);
  return (
    <fieldset className="fields phase-texts">
      <legend>{t('MAINTENANCE.CONSOLE.TEXTS.TITLE')}</legend>
      <LanguageChoice
        texts={textPhases.map((phase) => texts[phase])}
        language={language}
        onLanguage={onLanguage}
      />
      {field('before')}
      {field('during')}
      <details open={opened || problems.late !== undefined || problems.finished !== undefined}>
        <summary className="accent strong">{t('MAINTENANCE.CONSOLE.TEXTS.MORE')}</summary>
        <div className="fields above-4">
          {field('late')}
          {field('finished')}
          {children}
        </div>
      </details>
    </fieldset>
  );
}

type LimitedTextProps = {
  label: string;
  hint: string;
  error: string | undefined;
  rows: number;
  lang?: TextLanguage;
  value: string;
  onValue: (text: string) => void;
};

/** A text whose hint shows its length when it is nearly too long. */
export function LimitedText({ label, hint, error, ...area }: LimitedTextProps) {
  const { t } = useTranslation();
  const length = area.value.trim().length;
  return (
    <TextAreaField
      label={label}
      hint={
        length > longestNotice - 200
          ? t('MAINTENANCE.CONSOLE.PLAN.TEXT_LENGTH', { length, most: longestNotice })
          : hint
      }
      error={error}
      {...area}
    />
  );
}

/** Chooses the language in which texts are written, and marks the languages in which there is a text. */
function LanguageChoice({ texts, language, onLanguage }: LanguageProps & { texts: readonly TypedText[] }) {
  const { t } = useTranslation();
  const written = textLanguages.filter((one) => texts.some((text) => text[one].trim() !== ''));
  return (
    <div className="stack gap-1 to-start">
      <Choice
        segments
        legend={t('MAINTENANCE.CONSOLE.TEXTS.LANGUAGE')}
        value={language}
        onValue={onLanguage}
        options={languages.map((one) => ({
          value: one.language,
          label: written.includes(one.language) ? `${one.label} ✓` : one.label,
        }))}
      />
      <p className="muted small">{t('MAINTENANCE.CONSOLE.TEXTS.LANGUAGE_HINT')}</p>
    </div>
  );
}
