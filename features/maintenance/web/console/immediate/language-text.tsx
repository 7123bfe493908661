import { type TextLanguage, textLanguages } from '#features/maintenance/contract/maintenance.ts';
import { longestNotice } from '#features/maintenance/contract/texts.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { TextLanguageChoice } from '../plan/text-language.tsx';
import type { TypedText } from '../plan/written-texts.ts';

type LanguageTextProps = {
  label: string;
  hint: string;
  error: string | undefined;
  required?: boolean;
  /** The focus of the dialog begins in it. */
  first?: boolean;
  typed: TypedText;
  language: TextLanguage;
  onLanguage: (language: TextLanguage) => void;
  onTyped: (typed: TypedText) => void;
  /** Below the field. */
  children?: ReactNode;
};

/** A text for everyone, in one language at a time. */
export function LanguageText(props: LanguageTextProps) {
  const {
    label,
    hint,
    error,
    required = false,
    first = false,
    typed,
    language,
    onLanguage,
    onTyped,
    children,
  } = props;
  const { t } = useTranslation();
  return (
    <>
      <TextLanguageChoice
        language={language}
        written={textLanguages.filter((one) => typed[one].trim() !== '')}
        onLanguage={onLanguage}
      />
      <Field label={label} hint={hint} error={error} required={required} requiredMark={t('COMMON.REQUIRED')}>
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
