import { appLimits } from '#features/home/contract/apps.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '#web/platform/i18n/language.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import type { AppValues } from './app-form.ts';

type OtherLanguagesProps = {
  values: Pick<AppValues, 'name' | 'names' | 'description' | 'descriptions'>;
  error: string | undefined;
  onValues: (values: Partial<AppValues>) => void;
};

/** Name and description in each language, where they differ from the plain ones. */
export function OtherLanguages({ values, error, onValues }: OtherLanguagesProps) {
  const { t } = useTranslation();
  const { names, descriptions } = values;
  const [open] = useState(
    [...Object.values(names), ...Object.values(descriptions)].some((text) => text !== ''),
  );
  return (
    <details className="app-languages" open={open}>
      <summary>{t('APPS.LANGUAGES')}</summary>
      <p className="muted">{t('APPS.LANGUAGES_HINT')}</p>
      {error === undefined ? null : <p role="alert">{error}</p>}
      {languages.map(({ language, label }) => (
        <fieldset key={language} lang={language}>
          <legend>{label}</legend>
          <Field label={t('APPS.NAME')}>
            {(control) => (
              <TextInput
                {...control}
                autoComplete="off"
                maxLength={appLimits.name}
                placeholder={values.name}
                value={names[language]}
                onValue={(name) => onValues({ names: { ...names, [language]: name } })}
              />
            )}
          </Field>
          <Field label={t('APPS.DESCRIPTION')}>
            {(control) => (
              <TextInput
                {...control}
                autoComplete="off"
                maxLength={appLimits.description}
                placeholder={values.description}
                value={descriptions[language]}
                onValue={(text) => onValues({ descriptions: { ...descriptions, [language]: text } })}
              />
            )}
          </Field>
        </fieldset>
      ))}
    </details>
  );
}
