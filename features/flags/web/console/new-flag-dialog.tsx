import { createFlag, type FlagDraft } from '#features/flags/contract/flags.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Field, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { JsonInput } from '#web/ui/json-input.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Checkbox, Select, TextInput } from '#web/ui/text-input.tsx';
import { FlagDetailFields } from './flag-detail-fields.tsx';
import { emptyForm, newDraftOf, newFlagWork, readStoredForm, valueForType } from './flag-form.ts';
import { flagProblems } from './flag-words.ts';
import { flagsKey } from './flags-query.ts';
import { useMistakes } from './json-part.tsx';

type NewFlagDialogProps = {
  onClose: () => void;
  /** Called with the key, after the dialog has closed. */
  onCreated: (flagKey: string) => void;
};

/** Creates a flag without rules; they are added on its page. */
export function NewFlagDialog({ onClose, onCreated }: NewFlagDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const mistakeIn = useMistakes();
  const [wrong, setWrong] = useState(false);
  const form = useVersionedForm({
    saved: { values: emptyForm },
    storedAs: newFlagWork,
    readStored: readStoredForm,
    save: ({ key, enabled }, _version, draft: FlagDraft, creation) =>
      api.call(createFlag, { body: { ...draft, key: key.trim(), enabled } }, creation),
    lists: flagsKey,
    onSaved({ key }) {
      notify({ kind: 'success', title: t('FLAGS.CREATED', { key }) });
      onClose();
      onCreated(key);
    },
  });
  const { type, value } = form.values;
  const problems = flagProblems(t, form.error, wrong ? 'value' : null);

  return (
    <FormDialog
      title={t('FLAGS.NEW')}
      form={form}
      problem={problems.general}
      action={t('FLAGS.CREATE')}
      onSubmit={() => {
        const draft = newDraftOf(form.values);
        setWrong(draft === null);
        if (draft !== null) form.save(draft);
      }}
      onClose={onClose}
    >
      <div className="fields">
        <TextField
          label={t('FLAGS.KEY')}
          hint={t('FLAGS.KEY_HINT')}
          required
          error={problems.key}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          {...form.field('key')}
        />
        <FlagDetailFields
          form={form.values}
          problems={problems}
          onForm={(change) =>
            form.set({
              ...change,
              ...(change.type === undefined ? {} : { value: valueForType(change.type, value) }),
            })
          }
        >
          <Field label={t('FLAGS.VALUE')} hint={t('FLAGS.VALUE_HINT')} error={problems.defaultValue}>
            {(control) =>
              type === 'boolean' ? (
                <Select
                  {...control}
                  value={value === 'true' ? 'true' : 'false'}
                  onValue={(next) => form.set({ value: next })}
                  options={[
                    { value: 'true', label: 'true' },
                    { value: 'false', label: 'false' },
                  ]}
                />
              ) : type === 'json' ? (
                <JsonInput
                  {...control}
                  rows={6}
                  {...form.field('value')}
                  formatLabel={t('FLAGS.JSON.FORMAT')}
                  copyLabel={t('FLAGS.JSON.COPY')}
                  mistakeIn={mistakeIn}
                />
              ) : (
                <TextInput
                  {...control}
                  inputMode={type === 'number' ? 'decimal' : 'text'}
                  spellCheck={false}
                  autoComplete="off"
                  {...form.field('value')}
                />
              )
            }
          </Field>
          <Checkbox
            label={t('FLAGS.ENABLE_AT_ONCE')}
            hint={t('FLAGS.ENABLE_HINT')}
            {...form.check('enabled')}
          />
        </FlagDetailFields>
      </div>
    </FormDialog>
  );
}
