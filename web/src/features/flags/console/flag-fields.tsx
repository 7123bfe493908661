import { flagType } from '@portico/contract/flags';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../../platform/i18n/catalogue-key.ts';
import { Field } from '../../../ui/field.tsx';
import { JsonInput } from '../../../ui/json-input.tsx';
import type { JsonMistake } from '../../../ui/json-mistake.ts';
import { Checkbox, Select, TextArea, TextInput } from '../../../ui/text-input.tsx';
import { valueForType, type FlagForm } from './flag-form.ts';
import type { FlagProblems } from './flag-words.ts';

type FlagFieldsProps = {
  form: FlagForm;
  onForm: (change: Partial<FlagForm>) => void;
  isNew: boolean;
  disabled?: boolean;
  problems: FlagProblems;
};

/** All fields of a flag. The key is fixed once the flag exists: clients use it. */
export function FlagFields({ form, onForm, isNew, disabled = false, problems }: FlagFieldsProps) {
  const { t } = useTranslation();
  const describeMistake = ({ line, column, reason, found }: JsonMistake) =>
    t(`FLAGS.JSON.${catalogueKey(reason)}`, { line, column, found });

  return (
    <fieldset className="fields" disabled={disabled}>
      {isNew ? (
        <Field
          label={t('FLAGS.KEY')}
          hint={t('FLAGS.KEY_HINT')}
          required
          requiredMark={t('COMMON.REQUIRED')}
          error={problems.key}
        >
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={100}
              value={form.key}
              onValue={(key) => onForm({ key })}
            />
          )}
        </Field>
      ) : null}
      <Field label={t('FLAGS.DESCRIPTION')} hint={t('FLAGS.DESCRIPTION_HINT')} error={problems.description}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            maxLength={2000}
            value={form.description}
            onValue={(description) => onForm({ description })}
          />
        )}
      </Field>
      <div className="field-row">
        <Field label={t('FLAGS.TYPE')}>
          {(control) => (
            <Select
              {...control}
              value={form.type}
              onValue={(type) => onForm({ type, value: valueForType(type, form.value) })}
              options={flagType.options.map((value) => ({
                value,
                label: t(`FLAGS.TYPES.${catalogueKey(value)}`),
              }))}
            />
          )}
        </Field>
        {form.type === 'json' ? null : (
          <Field label={t('FLAGS.VALUE')} error={problems.defaultValue}>
            {(control) =>
              form.type === 'boolean' ? (
                <Select
                  {...control}
                  value={form.value === 'true' ? 'true' : 'false'}
                  onValue={(value) => onForm({ value })}
                  options={[
                    { value: 'true', label: 'true' },
                    { value: 'false', label: 'false' },
                  ]}
                />
              ) : (
                <TextInput
                  {...control}
                  inputMode={form.type === 'number' ? 'decimal' : 'text'}
                  spellCheck={false}
                  autoComplete="off"
                  value={form.value}
                  onValue={(value) => onForm({ value })}
                />
              )
            }
          </Field>
        )}
      </div>
      {form.type === 'json' ? (
        <Field label={t('FLAGS.VALUE')} error={problems.defaultValue}>
          {(control) => (
            <JsonInput
              {...control}
              rows={6}
              value={form.value}
              onValue={(value) => onForm({ value })}
              formatLabel={t('FLAGS.JSON.FORMAT')}
              describeMistake={describeMistake}
              disabled={disabled}
            />
          )}
        </Field>
      ) : null}
      <Field label={t('FLAGS.RULES')} hint={t('FLAGS.RULES_HINT')} error={problems.rules}>
        {(control) => (
          <JsonInput
            {...control}
            rows={8}
            value={form.rules}
            onValue={(rules) => onForm({ rules })}
            formatLabel={t('FLAGS.JSON.FORMAT')}
            describeMistake={describeMistake}
            disabled={disabled}
          />
        )}
      </Field>
      <Field label={t('FLAGS.TAGS')} hint={t('FLAGS.TAGS_HINT')} error={problems.tags}>
        {(control) => (
          <TextInput {...control} autoComplete="off" value={form.tags} onValue={(tags) => onForm({ tags })} />
        )}
      </Field>
      {isNew ? (
        <Checkbox
          label={t('FLAGS.ENABLE_AT_ONCE')}
          hint={t('FLAGS.ENABLE_HINT')}
          checked={form.enabled}
          onChecked={(enabled) => onForm({ enabled })}
        />
      ) : null}
    </fieldset>
  );
}
