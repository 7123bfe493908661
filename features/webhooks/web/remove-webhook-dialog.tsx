import { removeWebhook, type Webhook } from '#features/webhooks/contract/webhooks.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { webhookName } from './webhook-name.ts';
import { webhooksKey } from './webhooks-queries.ts';

type RemoveWebhookDialogProps = { webhook: Webhook; onClose: () => void; onRemoved: () => void };

/** Asks before a webhook and its log are removed. */
export function RemoveWebhookDialog({ webhook, onClose, onRemoved }: RemoveWebhookDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = webhookName(webhook);
  return (
    <ConfirmAction
      title={t('WEBHOOKS.REMOVE_QUESTION', { name })}
      confirmLabel={t('WEBHOOKS.REMOVE')}
      tone="danger"
      action={() => api.call(removeWebhook, { params: { webhookId: webhook.id } })}
      problem={(error) => problemText(t, error)}
      done={t('WEBHOOKS.REMOVED', { name })}
      onDone={() => {
        onRemoved();
        void queries.invalidateQueries({ queryKey: webhooksKey });
      }}
      onCancel={onClose}
    >
      <p>{t('WEBHOOKS.REMOVE_EFFECT')}</p>
    </ConfirmAction>
  );
}
