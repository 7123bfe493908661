import { flagType, type FlagType } from '#features/flags/contract/flags.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Field, SelectField, TextAreaField } from '#web/ui/field.tsx';
import { Checkbox, TextInput } from '#web/ui/text-input.tsx';
import type { FlagProblems } from './flag-words.ts';

type Details = {
  description: string;
  type: FlagType;
  tags: string;
  forSignedOut: boolean;
  killSwitch: boolean;
};

type FlagDetailFieldsProps = {
  form: Details;
  onForm: (change: Partial<Details>) => void;
  disabled?: boolean;
  problems: FlagProblems;
  /** Fields that come before the seldom ones, which are then folded. */
  children?: ReactNode;
};

/** The fields for a flag's purpose, type and tags, and whether people who are not signed in receive it. */
export function FlagDetailFields({ form, onForm, disabled, problems, children }: FlagDetailFieldsProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(form.tags !== '' || form.forSignedOut || form.killSwitch);
  if (problems.tags !== undefined && !isOpen) setOpen(true);
  const seldom = (
    <>
      <Field label={t('FLAGS.TAGS')} hint={t('FLAGS.TAGS_HINT')} error={problems.tags}>
        {(control) => (
          <TextInput {...control} autoComplete="off" value={form.tags} onValue={(tags) => onForm({ tags })} />
        )}
      </Field>
      <Checkbox
        label={t('FLAGS.FOR_SIGNED_OUT')}
        hint={t('FLAGS.FOR_SIGNED_OUT_HINT')}
        checked={form.forSignedOut}
        onChecked={(forSignedOut) => onForm({ forSignedOut })}
      />
      <Checkbox
        label={t('FLAGS.KILL_SWITCH')}
        hint={t('FLAGS.KILL_SWITCH_HINT')}
        checked={form.killSwitch}
        onChecked={(killSwitch) => onForm({ killSwitch })}
      />
    </>
  );
  return (
    <fieldset className="fields" disabled={disabled}>
      <TextAreaField
        label={t('FLAGS.DESCRIPTION')}
        hint={t('FLAGS.DESCRIPTION_HINT')}
        error={problems.description}
        rows={3}
        maxLength={2000}
        value={form.description}
        onValue={(description) => onForm({ description })}
      />
      <SelectField
        label={t('FLAGS.TYPE')}
        value={form.type}
        onValue={(type) => onForm({ type })}
        options={flagType.options.map((value) => ({
          value,
          label: t(`FLAGS.TYPES.${catalogueKey(value)}`),
        }))}
      />
      {children}
      {children === undefined ? (
        seldom
      ) : (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t('FLAGS.RULE.FURTHER')}</summary>
          <div className="fields">{seldom}</div>
        </details>
      )}
    </fieldset>
  );
}
