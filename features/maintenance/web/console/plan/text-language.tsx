import type { TextLanguage } from '#features/maintenance/contract/maintenance.ts';
import { useTranslation } from 'react-i18next';
import { asLanguage, languages } from '#web/platform/i18n/language.ts';
import { Segments } from './segments.tsx';

type TextLanguageChoiceProps = {
  language: TextLanguage;
  /** In which languages something is written. */
  written: readonly TextLanguage[];
  onLanguage: (language: TextLanguage) => void;
};

/** The language that a text is being written in, and those in which there is one. */
export function TextLanguageChoice({ language, written, onLanguage }: TextLanguageChoiceProps) {
  const { t } = useTranslation();
  return (
    <div className="text-language">
      <Segments
        label={t('MAINTENANCE.CONSOLE.TEXTS.LANGUAGE')}
        value={language}
        onValue={onLanguage}
        options={languages.map((one) => ({
          value: one.language,
          label: written.includes(one.language) ? `${one.label} ✓` : one.label,
        }))}
      />
      <p className="field-hint">{t('MAINTENANCE.CONSOLE.TEXTS.LANGUAGE_HINT')}</p>
    </div>
  );
}

/** The language of the reader of this screen, to begin with. */
export function useOwnLanguage(): TextLanguage {
  const { i18n } = useTranslation();
  return asLanguage(i18n.language) ?? 'en';
}
