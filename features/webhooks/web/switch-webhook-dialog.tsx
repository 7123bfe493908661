import { changeWebhook, type Webhook } from '#features/webhooks/contract/webhooks.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { webhookName } from './webhook-name.ts';
import { webhooksKey } from './webhooks-queries.ts';

/** Asks before a webhook is turned off or on. */
export function SwitchWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const name = webhookName(webhook);
  const direction = webhook.enabled ? 'OFF' : 'ON';
  const reload = () => queries.invalidateQueries({ queryKey: webhooksKey });

  async function turn(): Promise<void> {
    const { id, url, description, enabled, version } = webhook;
    const body = { url, description, enabled: !enabled, version };
    await api.call(changeWebhook, { params: { webhookId: id }, body }).catch(async (error: unknown) => {
      if (isProblem(error, 'VERSION_CONFLICT')) await reload();
      throw error;
    });
    await reload();
  }

  return (
    <ConfirmAction
      title={t(`WEBHOOKS.TURN.${direction}.QUESTION`, { name })}
      confirmLabel={t(`WEBHOOKS.TURN.${direction}.ACTION`)}
      action={turn}
      problem={(error) => problemText(t, error)}
      done={t(`WEBHOOKS.TURN.${direction}.DONE`, { name })}
      onDone={onClose}
      onCancel={onClose}
    >
      <p>{t(`WEBHOOKS.TURN.${direction}.EFFECT`)}</p>
    </ConfirmAction>
  );
}
