import { addClientKey, clientKeyKind, type ClientKeyKind } from '@portico/contract/flags';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import { useUnsavedWork } from '../../platform/unsaved-work.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { keyProblems } from './client-key-problems.ts';
import { managedKeysKey } from './client-keys-queries.ts';

type AddClientKeyDialogProps = { onClose: () => void; onAdded: (key: string) => void };

/** Makes a key; ends with how an SDK uses it. */
export function AddClientKeyDialog({ onClose, onAdded }: AddClientKeyDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<ClientKeyKind>('plain');
  const add = useMutation({
    mutationFn: () => api.call(addClientKey, { body: { name, kind } }),
    async onSuccess({ key }) {
      await queries.invalidateQueries({ queryKey: managedKeysKey });
      onAdded(key);
    },
  });
  const problems = keyProblems(t, add.error);
  useUnsavedWork(name !== '' && !add.isSuccess);
  return (
    <Dialog
      open
      title={t('CLIENT_KEYS.ADD')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={onClose}
      busy={add.isPending}
      onSubmit={() => add.mutate()}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={add.isPending}>
            {t('CLIENT_KEYS.ADD_ACTION')}
          </Button>
        </>
      }
    >
      {problems.general === undefined ? null : (
        <Notice severity="high" role="alert">
          {problems.general}
        </Notice>
      )}
      <Field
        label={t('CLIENT_KEYS.NAME')}
        hint={t('CLIENT_KEYS.NAME_HINT')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={problems.name}
      >
        {(control) => (
          <TextInput {...control} autoComplete="off" maxLength={100} value={name} onValue={setName} />
        )}
      </Field>
      <Field label={t('CLIENT_KEYS.KIND')} hint={t(`CLIENT_KEYS.KINDS.${catalogueKey(kind)}.HINT`)}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            onValue={setKind}
            options={clientKeyKind.options.map((value) => ({
              value,
              label: t(`CLIENT_KEYS.KINDS.${catalogueKey(value)}.LABEL`),
            }))}
          />
        )}
      </Field>
    </Dialog>
  );
}
