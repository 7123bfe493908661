import { changeWebhook, type Webhook } from '#features/webhooks/contract/webhooks.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { draftOf, webhookWords, type WebhookDraft } from './webhook-draft.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { webhooksKey } from './webhooks-queries.ts';

const bodyOf = ({ url, description, language, areas }: WebhookDraft, enabled: boolean, version: number) => ({
  url,
  description,
  language,
  areas: [...areas],
  enabled,
  version,
});

type EditWebhookDialogProps = {
  webhook: Webhook;
  /** Another operator has removed it. */
  gone: boolean;
  onClose: () => void;
};

/**
 * Edits a webhook against the version that was opened; when another operator saves first, a message shows
 * and what is typed stays.
 */
export function EditWebhookDialog({ webhook, gone, onClose }: EditWebhookDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const { enabled } = webhook;
  const form = useVersionedForm({
    saved: { values: draftOf(webhook), version: webhook.version },
    storedAs: `webhook:${webhook.id}`,
    save: (values, version) =>
      api.call(changeWebhook, { params: { webhookId: webhook.id }, body: bodyOf(values, enabled, version) }),
    async onSaved() {
      await queries.invalidateQueries({ queryKey: webhooksKey });
      notify({ kind: 'success', title: t('WEBHOOKS.SAVED') });
      onClose();
    },
    reload: webhooksKey,
    gone,
  });
  const problems = problemsOf(t, form.error, webhookWords);

  return (
    <FormDialog
      title={t('WEBHOOKS.EDIT')}
      form={form}
      problem={problems.general}
      action={t('WEBHOOKS.SAVE')}
      conflict={{ keepMine: t('WEBHOOKS.KEEP_MINE') }}
      onSubmit={form.save}
      onClose={onClose}
    >
      <WebhookFields draft={form.values} onDraft={form.set} problems={problems} />
    </FormDialog>
  );
}
