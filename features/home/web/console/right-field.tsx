import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** There may be 10,000 rights. */
const mostSuggested = 60;

type RightFieldProps = { value: string; error: string | undefined; onValue: (right: string) => void };

/** The right that is needed to see an application; empty: none. */
export function RightField({ value, error, onValue }: RightFieldProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const list = useId();
  const typed = value.toLowerCase();
  const suggested = words.rights
    .filter(({ right }) => `${right}\n${words.right(right)}`.toLowerCase().includes(typed))
    .slice(0, mostSuggested);
  return (
    <Field label={t('APPS.RIGHT')} hint={t('APPS.RIGHT_HINT')} error={error}>
      {(control) => (
        <>
          <TextInput
            {...control}
            list={list}
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            value={value}
            onValue={(right) => onValue(right.toUpperCase().replaceAll(/[\s-]+/g, '_'))}
          />
          <datalist id={list}>
            {suggested.map(({ right }) => (
              <option key={right} value={right}>
                {words.right(right)}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
