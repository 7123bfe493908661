import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi, useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select, TextInput } from '#web/ui/text-input.tsx';
import { apiTokensKey, ownRightsQuery } from './api-tokens-queries.ts';
import { RightsChoice } from './rights-choice.tsx';
import { emptyDraft, endOf, lives, newTokenWork, readStoredDraft, tokenWords } from './token-draft.ts';
import { TokenSecret } from './token-secret.tsx';

/** Creates a token; ends with its secret, which is shown this once. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const clock = useServerClock();
  const queries = useQueryClient();
  const rights = useQuery(ownRightsQuery(api));
  const form = useVersionedForm({
    saved: { values: emptyDraft(clock.now()) },
    storedAs: newTokenWork,
    readStored: (draft) => readStoredDraft(draft, clock.now()),
    save: ({ name, days, rights: chosen, from }, _version, _extra, creation) =>
      api.call(createApiToken, { body: { name, rights: chosen, expiresAt: endOf(days, from) } }, creation),
    onSaved: () => queries.invalidateQueries({ queryKey: apiTokensKey }),
  });
  const { values: draft, result: created } = form;
  const problems = problemsOf(t, form.error, tokenWords);

  if (created !== undefined) {
    return (
      <Dialog
        open
        title={t('API_TOKENS.SECRET.TITLE')}
        closeLabel={t('COMMON.CLOSE')}
        onClose={onClose}
        footer={<LeaveButton>{t('API_TOKENS.SECRET.DONE')}</LeaveButton>}
      >
        <TokenSecret secret={created.secret} rights={created.token.rights} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('API_TOKENS.CREATE')}
      form={form}
      problem={problems.general}
      action={t('API_TOKENS.CREATE_ACTION')}
      onSubmit={form.save}
      onClose={onClose}
    >
      <Field
        label={t('API_TOKENS.NAME')}
        hint={t('API_TOKENS.NAME_HINT')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={problems.name}
      >
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={100}
            value={draft.name}
            onValue={(name) => form.set({ name })}
          />
        )}
      </Field>
      <Field
        label={t('API_TOKENS.LIFE')}
        hint={t('API_TOKENS.LIFE_UNTIL', { when: formats.dateTime(endOf(draft.days, draft.from)) })}
        error={problems.expiresAt}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.days}
            onValue={(days) => form.set({ days })}
            options={lives.map((days) => ({
              value: days as string,
              label: t('API_TOKENS.DAYS', { count: Number(days) }),
            }))}
          />
        )}
      </Field>
      <RightsChoice
        rights={rights.data}
        failed={rights.isError ? { onRetry: () => void rights.refetch(), busy: rights.isFetching } : null}
        chosen={draft.rights}
        onChosen={(chosen) => form.set({ rights: chosen })}
        problem={problems.rights}
      />
    </FormDialog>
  );
}
