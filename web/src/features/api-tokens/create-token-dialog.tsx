import { createApiToken } from '@portico/contract/api-tokens';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useServerClock } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { useFoundWork, useKeepWork } from '../../platform/kept-work.ts';
import { useUnsavedWork } from '../../platform/unsaved-work.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RestoredWork } from '../../ui/restored-work.tsx';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { apiTokensKey, ownRightsQuery } from './api-tokens-queries.ts';
import { RightsChoice } from './rights-choice.tsx';
import { emptyDraft, endOf, isEmpty, lives, newTokenWork, readKeptDraft } from './token-draft.ts';
import { tokenProblems } from './token-problems.ts';
import { TokenSecret } from './token-secret.tsx';

/** Creates a token; ends with its secret, which is shown this once. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const clock = useServerClock();
  const queries = useQueryClient();
  const rights = useQuery(ownRightsQuery(api));
  const work = useFoundWork(newTokenWork, readKeptDraft);
  const [restored, setRestored] = useState(work.found !== null);
  const [draft, setDraft] = useState(work.found ?? emptyDraft);
  const create = useMutation({
    mutationFn: () =>
      api.call(createApiToken, {
        body: { name: draft.name, rights: draft.rights, expiresAt: endOf(draft.days, clock.now()) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: apiTokensKey }),
  });
  const created = create.data;
  const unsaved = created === undefined && !isEmpty(draft);
  useUnsavedWork(unsaved);
  useKeepWork(newTokenWork, unsaved ? draft : null);
  const problems = tokenProblems(t, create.error);
  const giveUp = () => {
    work.forget();
    onClose();
  };

  if (created !== undefined) {
    return (
      <Dialog
        // Another dialog than the form: the focus starts anew, on the secret.
        key="secret"
        open
        title={t('API_TOKENS.SECRET.TITLE')}
        closeLabel={t('COMMON.CLOSE')}
        onClose={onClose}
        footer={<Button onClick={onClose}>{t('API_TOKENS.SECRET.DONE')}</Button>}
      >
        <TokenSecret secret={created.secret} rights={created.token.rights} />
      </Dialog>
    );
  }
  return (
    <Dialog
      key="form"
      open
      title={t('API_TOKENS.CREATE')}
      closeLabel={t('COMMON.CLOSE')}
      onClose={giveUp}
      busy={create.isPending}
      onSubmit={() => create.mutate()}
      footer={
        <>
          <Button tone="quiet" onClick={giveUp}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={create.isPending}>
            {t('API_TOKENS.CREATE_ACTION')}
          </Button>
        </>
      }
    >
      {restored ? (
        <RestoredWork
          text={t('COMMON.RESTORED.TEXT')}
          discard={t('COMMON.RESTORED.DISCARD')}
          onDiscard={() => {
            setRestored(false);
            setDraft(emptyDraft);
          }}
        />
      ) : null}
      {problems.general === undefined ? null : (
        <Notice severity="high" role="alert">
          {problems.general}
        </Notice>
      )}
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
            onValue={(name) => setDraft({ ...draft, name })}
          />
        )}
      </Field>
      <Field
        label={t('API_TOKENS.LIFE')}
        hint={t('API_TOKENS.LIFE_UNTIL', { when: formats.dateTime(endOf(draft.days, clock.now())) })}
        error={problems.expiresAt}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.days}
            onValue={(days) => setDraft({ ...draft, days })}
            options={lives.map((days) => ({
              value: days as string,
              label: t('API_TOKENS.DAYS', { count: Number(days) }),
            }))}
          />
        )}
      </Field>
      <RightsChoice
        rights={rights.data}
        failed={rights.isError}
        chosen={draft.rights}
        onChosen={(chosen) => setDraft({ ...draft, rights: chosen })}
        problem={problems.rights}
      />
    </Dialog>
  );
}
