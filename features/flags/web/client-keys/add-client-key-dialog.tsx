import { addClientKey, clientKeyKind, type ClientKeyKind } from '#features/flags/contract/flags.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select, TextInput } from '#web/ui/text-input.tsx';
import { clientKeyWords } from './client-key-words.ts';
import { managedKeysKey } from './client-keys-queries.ts';

const emptyDraft: { name: string; kind: ClientKeyKind } = { name: '', kind: 'plain' };

type AddClientKeyDialogProps = { onClose: () => void; onAdded: (key: string) => void };

/** Creates a client key; ends with how an SDK uses it. */
export function AddClientKeyDialog({ onClose, onAdded }: AddClientKeyDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useVersionedForm({
    saved: { values: emptyDraft },
    save: (values, _version, _extra, creation) => api.call(addClientKey, { body: values }, creation),
    async onSaved({ key }) {
      await queries.invalidateQueries({ queryKey: managedKeysKey });
      onAdded(key);
    },
  });
  const { name, kind } = form.values;
  const problems = problemsOf(t, form.error, clientKeyWords);
  return (
    <FormDialog
      title={t('CLIENT_KEYS.ADD')}
      form={form}
      problem={problems.general}
      action={t('CLIENT_KEYS.ADD_ACTION')}
      onSubmit={form.save}
      onClose={onClose}
    >
      <Field
        label={t('CLIENT_KEYS.NAME')}
        hint={t('CLIENT_KEYS.NAME_HINT')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={problems.name}
      >
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={100}
            value={name}
            onValue={(value) => form.set({ name: value })}
          />
        )}
      </Field>
      <Field label={t('CLIENT_KEYS.KIND')} hint={t(`CLIENT_KEYS.KINDS.${catalogueKey(kind)}.HINT`)}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            onValue={(value) => form.set({ kind: value })}
            options={clientKeyKind.options.map((value) => ({
              value,
              label: t(`CLIENT_KEYS.KINDS.${catalogueKey(value)}.LABEL`),
            }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}
