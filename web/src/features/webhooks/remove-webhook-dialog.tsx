import { removeWebhook, type Webhook } from '@portico/contract/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { problemText } from '../../platform/problem-text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/notifications/notifications.ts';
import { webhookName } from './webhook-name.ts';
import { webhooksKey } from './webhooks-queries.ts';

type RemoveWebhookDialogProps = { webhook: Webhook; onClose: () => void; onRemoved: () => void };

/** Asks before a webhook is gone with its log. */
export function RemoveWebhookDialog({ webhook, onClose, onRemoved }: RemoveWebhookDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = webhookName(webhook);
  const remove = useMutation({
    mutationFn: () => api.call(removeWebhook, { params: { webhookId: webhook.id } }),
    async onSuccess() {
      onRemoved();
      notify({ kind: 'success', title: t('WEBHOOKS.REMOVED', { name }) });
      await queries.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('WEBHOOKS.REMOVE_QUESTION', { name })}
      confirmLabel={t('WEBHOOKS.REMOVE')}
      cancelLabel={t('COMMON.CANCEL')}
      closeLabel={t('COMMON.CLOSE')}
      tone="danger"
      busy={remove.isPending}
      error={remove.isError ? problemText(t, remove.error) : null}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <p>{t('WEBHOOKS.REMOVE_EFFECT')}</p>
    </ConfirmDialog>
  );
}
