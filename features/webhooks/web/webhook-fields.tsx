import { useTranslation } from 'react-i18next';
import type { Problems } from '#web/platform/forms/problems-of.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import type { WebhookDraft } from './webhook-draft.ts';

type WebhookFieldsProps = {
  draft: WebhookDraft;
  onDraft: (change: Partial<WebhookDraft>) => void;
  problems: Problems<keyof WebhookDraft>;
};

export function WebhookFields({ draft, onDraft, problems }: WebhookFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
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
            onValue={(url) => onDraft({ url })}
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
            onValue={(description) => onDraft({ description })}
          />
        )}
      </Field>
    </>
  );
}
