import { type Language, languages } from '../platform/i18n/language.ts';
import './language-choice.css';

type LanguageChoiceProps = { label: string; current: Language; onChoose: (language: Language) => void };

/** The languages, each in its own name. */
export function LanguageChoice({ label, current, onChoose }: LanguageChoiceProps) {
  return (
    <div className="entry-languages row wrap" role="group" aria-label={label}>
      {languages.map(({ language, label: name }) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === current}
          onClick={() => onChoose(language)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
