import { useTranslation } from 'react-i18next';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RestoredWork } from '../../ui/restored-work.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { WebhookDraft } from './webhook-draft.ts';
import type { WebhookProblems } from './webhook-problems.ts';

type WebhookFieldsProps = {
  draft: WebhookDraft;
  onDraft: (draft: WebhookDraft) => void;
  problems: WebhookProblems;
  /** Given where what stands here was typed before: throws it away. */
  onDiscard: (() => void) | null;
};

export function WebhookFields({ draft, onDraft, problems, onDiscard }: WebhookFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      {onDiscard === null ? null : (
        <RestoredWork
          text={t('COMMON.RESTORED.TEXT')}
          discard={t('COMMON.RESTORED.DISCARD')}
          onDiscard={onDiscard}
        />
      )}
      {problems.general === undefined ? null : (
        <Notice severity="high" role="alert">
          {problems.general}
        </Notice>
      )}
      <Field
        label={t('WEBHOOKS.URL')}
        hint={t('WEBHOOKS.URL_HINT')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        error={problems.url}
      >
        {(control) => (
          <TextInput
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={2000}
            value={draft.url}
            onValue={(url) => onDraft({ ...draft, url })}
          />
        )}
      </Field>
      <Field
        label={t('WEBHOOKS.DESCRIPTION')}
        hint={t('WEBHOOKS.DESCRIPTION_HINT')}
        error={problems.description}
      >
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={200}
            value={draft.description}
            onValue={(description) => onDraft({ ...draft, description })}
          />
        )}
      </Field>
    </>
  );
}
